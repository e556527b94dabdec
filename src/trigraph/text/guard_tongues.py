"""The guard's words in eleven other languages: fewer than in English, for the same things."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TONGUES: Mapping[str, str] = MappingProxyType(
    {
        "drop": "ignorier*, vergiss, vergesst, vergessen sie, missachte*, verwirf, übergeh*, setze dich "
        "hinweg, ignore, ignorez, oublie, oubliez, ne tiens pas compte, ne tenez pas compte, faites "
        "abstraction, fais abstraction, écarte*, ignora, ignorad, ignoren, olvida, olvide, olviden, "
        "omite, haz caso omiso, descarta, pasa por alto, dimentica, dimenticate, trascura, tralascia, "
        "non considerare, esqueça, esquece, desconsidere, desconsidera, negeer, vergeet, sla geen "
        "acht, zignoruj, zapomnij, pomiń, nie zwracaj uwagi, yok say*, unut*, görmezden gel*, dikkate "
        "alma*, игнорируй*, проигнорируй*, забудь*, не учитывай*, отмени*, пренебреги*, 忽略, 无视, 忘记, "
        "忘掉, 不要理会, 取代, 作废, 無視, 忘れ, 従わな, 破棄, 무시, 잊어, تجاهل, انس",
        "rules": "anweisung*, vorgabe*, regel, regeln, instruktion*, richtlinie*, befehl*, weisung*, "
        "consigne*, règle*, directive*, instruction*, ordres, instrucci*, regla*, indicaci*, "
        "directri*, órdenes, norma, normas, istruzion*, regol*, direttiv*, ordini, indicazion*, "
        "instruç*, regras, diretriz*, ordens, instructie*, regels, richtlijn*, opdracht*, "
        "voorschrift*, instrukcj*, zasad*, poleceni*, wytyczn*, reguł*, talimat*, kural*, komut*, "
        "yönerge*, инструкц*, правил*, указани*, команд*, директив*, 指示, 指令, 规则, 規則, 命令, 提示词, 设定, 限制, "
        "政策, 规定, ルール, プロンプト, 指図, 制約, 規定, 방침, 지시, 명령, التعليمات",
        "earlier": "bisherig*, vorherig*, früher*, obig*, précédent*, antérieur*, ci-dessus, anterior*, previa*, "
        "previo*, de antes, precedent*, eerdere, vorige, voorgaande, bovenstaande, poprzedni*, "
        "wcześniejsz*, powyższ*, önceki, yukarıdaki, предыдущ*, прежн*, выше, 之前, 以前, 先前, 上面, 上述, 此前, "
        "これまで, 以上, 先の, 이전",
        "machine": "ki, ki-*, sprachmodell*, künstliche intelligenz, ia, intelligence artificielle, modèle de "
        "langage, agent ia, modelo de lenguaje, modelo de linguagem, inteligencia artificial, modello "
        "linguistico, intelligenza artificiale, taalmodel*, model językowy, modele językowe, sztuczn* "
        "inteligencj*, si, yapay zek*, dil model*, ии, нейросет*, языков* модел*, ии-*, чат-бот*, "
        "人工智能, 语言模型, 大模型, 智能体, 机器人, ai助手, 模型, 言語モデル, モデル, ボット, エージェント, 生成ai",
        "helper": "assistent*, agenten, chatbot*, assistant*, asistent*, asistente*, assistente*, agente*, "
        "agenti, modell*, modelo*, modello, asystent*, agent*, asistan*, ajan*, yardımcı*, yapay, "
        "ассистент*, помощник*, агент*, модел*, бот*, 助手, 助理, 代理, アシスタント, 秘書, エージェント, 비서",
        "you": "du, dir, dich, dein*, sie, ihnen, ihr*, tu, te, toi, ton, ta, tes, vous, votre, vos, ti, "
        "usted, ustedes, tuo, tua, tuoi, vi, vostro, você, vocês, seu, sua, je, jij, jou, jouw, uw, "
        "ty, ci, ciebie, tobie, twoj*, twój, sen, sana, senin, siz, size, ты, тебя, тебе, твой, твои, "
        "вы, вам, вас, ваш*, 你, 您, 你的, あなた",
        "person": "nutzer*, benutzer*, anwender*, inhaber*, kunde*, kundin*, besitzer*, utilisateur*, "
        "propriétaire*, client*, titulaire*, usuari*, cliente*, propietari*, dueñ*, titular*, utente, "
        "utenti, proprietari*, clienti, utilizador*, dono, gebruiker*, eigenaar*, klant*, "
        "użytkownik*, właściciel*, klient*, kullanıcı*, sahib*, müşteri*, пользовател*, владел*, "
        "клиент*, хозяин*, 用户, 使用者, 客户, 主人, 所有者, ユーザー, 利用者, 顧客, オーナー, お客様, 사용자",
        "answer": "antworte*, sag, sage, sagen sie, empfiehl, empfehle*, nenne*, behaupte*, bewerte*, erkläre*, "
        "teile mit, réponds, répondez, répondre, dis, dites, recommande*, conseille*, affirme*, cite, "
        "indique*, responde*, contesta*, di, diga, recomienda*, aconseja*, menciona*, afirma*, "
        "indica*, rispondi, rispondere, di', consiglia*, raccomanda*, menziona*, dichiara*, "
        "responda*, recomende*, recomendar, mencione, antwoord*, zeg, raad aan, adviseer*, beveel "
        "aan, noem, vermeld*, odpowiadaj*, odpowiedz*, powiedz*, mów, polecaj*, poleć*, rekomenduj*, "
        "zalecaj*, cevapla*, yanıtla*, söyle*, öner*, tavsiye*, belirt*, отвечай*, ответь*, говори*, "
        "скажи*, рекоменд*, советуй*, посоветуй*, сообщи*, утверждай*, 推荐, 回答, 回复, 告诉, 说, 声称, 建议, 勧め, "
        "推奨, 答え, 回答して, 伝え, 言って, 返答, 추천",
        "send": "sende*, schick*, leite*, weiterleit*, übermittle*, übertrag*, lade hoch, hochlad*, kopiere*, "
        "füge, envoie*, envoyez, envoyer, transmet*, transfère*, transférer, téléverse*, joins, "
        "copie*, envía*, envia*, enviar*, manda*, reenvía*, reenvia*, sube, subir, adjunta*, copia*, "
        "inoltra*, invia, inviare, inviate, carica*, allega*, spedisci, encaminhe*, envie*, anexe*, "
        "copiados, stuur*, verzend*, doorstur*, upload*, kopieer*, wyślij*, wysyłaj*, przesyłaj*, "
        "prześlij*, przekaż*, skopiuj*, załącz*, gönder*, ilet*, yükle*, kopyala*, ekle*, отправ*, "
        "пересыл*, перешли*, вышли*, загруз*, скопируй*, прикреп*, передай*, 发送, 上传, 转发, 发到, 发给, 寄到, "
        "附上, 抄送, 送信, 送って, 送り, アップロード, 転送, 添付, 보내",
        "execute": "führe, ausführ*, starte*, installier*, rufe, öffne*, lade herunter, exécute*, lance*, "
        "installe*, ouvre*, télécharge*, ejecuta*, ejecute*, instala*, abre, descarga*, lanza*, "
        "esegui*, installa*, apri, scarica*, avvia*, execute*, executa*, instale*, abra, baixe, voer "
        "uit, installeer*, open, download*, start*, uruchom*, wykonaj*, zainstaluj*, otwórz*, "
        "pobierz*, çalıştır*, kur, kurun, indir*, aç, açın, yürüt*, запусти*, выполни*, установи*, "
        "открой*, скачай*, 运行, 执行, 安装, 打开, 下载, 调用, 実行, インストール, 開いて, ダウンロード, 呼び出",
        "keep": "merke*, merk, speicher*, notier*, erinner*, behalte*, retiens, retenez, enregistre*, "
        "mémorise*, note, notez, souviens-toi, recuerda*, recuerde*, guarda*, guárda*, memoriza*, "
        "registra*, anota*, ricorda*, memorizza*, salva*, annota*, lembre*, lembra, guarde*, "
        "memorize*, registre, onthoud*, bewaar*, sla op, noteer*, zapamiętaj*, zapisz*, zanotuj*, "
        "hatırla*, kaydet*, unutma*, aklında tut*, not al*, запомни*, сохрани*, запиши*, помни*, 记住, "
        "保存, 记录, 存入, 牢记, 覚え, 記憶, 記録",
        "memory": "gedächtnis*, erinnerung*, dauerhaft, mémoire*, mémo*, memoria*, memória*, geheugen*, "
        "pamięć*, pamięci, hafıza*, bellek*, notlar*, память, памяти, заметк*, 记忆, 长期记忆, 备忘, メモリ, メモ, "
        "記憶",
        "disable": "deaktivier*, schalte, schalten sie, abschalt*, überspring*, unterlass*, verzicht*, umgeh*, "
        "désactive*, saute, sautez, contourne*, supprime*, omets, omettez, desactiva*, desactive*, "
        "omite, omitir, salta*, evita, disattiva*, salta, evitare, ometti, desative*, desativa*, "
        "pule, ignore, schakel uit, uitschakel*, sla over, overslaan, omzeil*, wyłącz*, pomiń*, "
        "pomijaj*, obejdź, omijaj, devre dışı*, kapat*, atla*, geç, отключи*, выключи*, пропусти*, "
        "обойди*, сними*, 关闭, 禁用, 跳过, 绕过, 停用, 省略, 無効, スキップ, 切って, オフにし, 飛ばし",
        "erase": "lösch*, entfern*, efface*, supprim*, borra*, borre*, elimina*, elimine*, cancella*, apague, "
        "exclua, verwijder*, wis, usuń*, usuwaj*, skasuj*, sil, silin, kaldır*, удали*, сотри*, "
        "очисти*, 删除, 清除, 抹去, 削除, 消去, 消して",
        "safeguard": "sicherheit*, prüfung*, warnung*, bestätigung*, rückfrage*, freigabe*, genehmigung*, "
        "vérification*, sécurité*, avertissement*, confirmation*, validation*, seguridad*, "
        "verificaci*, advertencia*, confirmaci*, aviso*, autorizaci*, riesgo*, sicurezza*, verific*, "
        "conferm*, avvis*, avvertenz*, rischi*, segurança*, confirmaç*, verificaç*, autorizaç*, "
        "antivírus, beveiliging*, controle*, bevestiging*, waarschuwing*, goedkeuring*, toestemming*, "
        "bezpieczeństw*, potwierdzeni*, ostrzeżeni*, weryfikacj*, zgod*, güvenlik*, onay*, uyarı*, "
        "doğrulama*, kontrol*, безопасност*, проверк*, подтвержден*, предупрежден*, антивирус*, 安全, "
        "确认, 警告, 验证, 检查, 审核, 风险, 防火墙, 確認, 承認, 検証, レビュー, リスク",
        "secret": "passw*, passwort*, kennwort*, zugangsdaten, schlüssel*, geheim*, mot de passe, mots de "
        "passe, identifiants, clé*, jeton*, contraseña*, clave*, credencial*, tarjeta*, password, "
        "credenzial*, chiav*, senha*, chave*, credenciais, wachtwoord*, sleutel*, inloggegevens, "
        "hasł*, klucz*, dane logowania, şifre*, parola*, anahtar*, kimlik bilgi*, парол*, ключ*, "
        "токен*, учётн*, 密码, 密钥, 口令, 凭据, 令牌, 私钥, パスワード, 鍵, キー, 認証情報, トークン, 個人情報",
        "talk": "gespräch*, unterhaltung*, chatverlauf*, verlauf, nachricht*, conversation*, échange*, "
        "historique, conversaci*, historial*, mensaje*, conversazion*, cronologia, messagg*, "
        "conversa*, histórico, mensage*, gesprek*, berichten, rozmow*, wiadomości*, konuşma*, "
        "sohbet*, mesaj*, разговор*, переписк*, диалог*, сообщени*, 对话, 聊天记录, 会话, 会話, 履歴, チャット",
        "standing": "ab sofort, ab jetzt, von nun an, ab heute, künftig*, zukünftig*, in zukunft, immer, stets, "
        "nie, niemals, dauerhaft, für immer, jedes mal, désormais, dorénavant, toujours, jamais, à "
        "partir de maintenant, à l'avenir, à chaque fois, a partir de ahora, de ahora en adelante, en "
        "adelante, siempre, nunca, en el futuro, para siempre, la próxima vez, d'ora in poi, da ora "
        "in poi, da adesso, sempre, mai, in futuro, per sempre, la prossima volta, a partir de agora, "
        "de agora em diante, doravante, para sempre, da próxima vez, voortaan, vanaf nu, altijd, "
        "nooit, in de toekomst, volgende keer, od teraz, odtąd, zawsze, nigdy, w przyszłości, na "
        "zawsze, następnym razem, bundan sonra, bundan böyle, artık, şu andan itibaren, her zaman, "
        "asla, daima, bir dahaki, gelecekte, впредь, отныне, с этого момента, теперь, всегда, "
        "никогда, в будущем, навсегда, в следующий раз, постоянно, 从现在起, 从现在开始, 今后, 以后, 永远, 始终, 总是, "
        "永久, 每次, 下次, 今後, これから, 以後, 常に, 必ず, 決して, 次回, 永久に, 毎回",
        "every": "jede*, alle, allen, sämtliche*, nur noch, ausschließlich, chaque, toute*, tous, tout, "
        "uniquement, seulement, cada, todo*, toda*, cualquier*, únicamente, sólo, ogni, tutt*, "
        "qualsiasi, soltanto, unicamente, qualquer, apenas, elke, ieder*, uitsluitend, każd*, "
        "wszystk*, wyłącznie, tylko, her, tüm, bütün, sadece, yalnızca, кажд*, все, всех, любой, "
        "любые, только, исключительно, 所有, 任何, 每个, 只, 一切, 全部, すべて, 全て, どんな, あらゆる, のみ, だけ",
        "hushed": "erwähne* nicht, nicht erwähn*, erwähnst es nicht, ohne zu erwähnen, sag es nicht, sag "
        "nichts, nicht mitteilen, verschweig*, ohne hinweis, stillschweigend, heimlich, unauffällig, "
        "ne le mentionne pas, ne mentionne*, sans le dire, sans le mentionner, sans prévenir, sans en "
        "parler, ne dis rien, ne le dis pas, discrètement, en silence, n'en parle*, sin mencionar*, "
        "no menciones, no se lo digas, no lo menciones, no digas, sin avisar*, sin decir*, en "
        "silencio, discretamente, non dirlo, non menzionare, senza dirlo, senza avvis*, senza "
        "informare, di nascosto, in silenzio, sem avisar, sem mencionar, não mencione, não diga, não "
        "conte, não registre, zonder te vermelden, zonder het te zeggen, zonder te melden, vermeld "
        "dit niet, zeg niet*, stilletjes, niet vermelden, nie wspominaj*, nie mów*, nie informuj*, "
        "bez informowania, po cichu, nie ujawniaj*, söyleme*, bahsetme*, belirtme*, haber vermeden, "
        "sessizce, gizlice, bildirme*, не упоминай*, не сообщай*, не говори*, молча, незаметно, без "
        "уведомления, тайно, втайне, 不要提及, 不要告诉, 不要提, 不要透露, 悄悄, 不必告知, 无需告知, 不得提及, 保密, 别告诉, 言わない, "
        "伝えない, 触れない, 知らせない, 黙って, こっそり, 報告しない, 言及しない, 明かさない",
        "unasked": "ohne rückfrage*, ohne zu fragen, ohne nachfrage*, ohne bestätigung, ohne freigabe, nicht "
        "nachfragen, frage nicht, frag nicht, nicht mehr nach, entfällt, nicht nötig, nicht "
        "erforderlich, automatisch, sans demander, sans confirmation, sans validation, sans "
        "vérification, inutile de, pas besoin de, ne demande pas, ne demandez pas, automatiquement, "
        "sin preguntar, sin confirmaci*, sin pedir*, sin autorizaci*, sin verificar, no hace falta, "
        "no es necesario, no preguntes, no pidas, automáticamente, senza chiedere, senza conferma, "
        "senza verifica, non serve, non è necessario, non chiedere, automaticamente, sem perguntar, "
        "sem confirma*, sem pedir, não é necessário, não é preciso, não pergunte, não peça, zonder te "
        "vragen, zonder bevestiging, zonder toestemming, zonder controle, niet nodig, vraag niet, bez "
        "pytania, bez potwierdzenia, bez zgody, nie pytaj*, nie trzeba, nie jest wymagan*, "
        "automatycznie, sormadan, sorma, sormana gerek, onay almadan, onaysız, onay isteme*, gerek "
        "yok, gerekmez, otomatik*, без спроса, не спрашивай*, без подтверждения, без проверки, не "
        "требуется, не нужно, автоматически, не переспрашивай*, 无需确认, 不用确认, 无需询问, 不要询问, 不必询问, 无需, 不必, "
        "不需要, 自动, 直接, 未经, 確認なしに, 確認せずに, 確認は不要, 不要, 尋ねずに, 聞かずに, 必要はありません, 必要はない, 必要ない, 自動的, 承認なし, 許可なし",
        "when": "wenn, sobald, falls, sooft, bevor, quand, lorsque, si, dès que, chaque fois que, avant de, "
        "cuando, cada vez que, en cuanto, antes de, quando, se, ogni volta che, non appena, prima di, "
        "sempre que, assim que, caso, als, zodra, wanneer, telkens, voordat, gdy, jeśli, jeżeli, "
        "kiedy, ilekroć, zanim, eğer, zaman, olursa, sorarsa, -diğinde, önce, когда, если, как "
        "только, каждый раз, прежде чем, 当, 如果, 只要, 一旦, 每当, 若, 时, たら, とき, 場合, 際, 度に, れば, すると",
        "asked": "fragt, gefragt, frage, fragen, anfrage*, demande, demandent, demandé*, question*, parle de, "
        "pregunt*, pide, pidan, pida, chiede, chiedono, domand*, richiest*, pergunt*, pedir, pede, "
        "pedido, vraagt, vragen, gevraagd, vraag, pyta, zapyta, pytani*, prosi, sorar*, soru*, "
        "sorul*, ister*, спрашива*, спросит, спросят, вопрос*, просит, запрос*, 询问, 问, 提问, 提到, 请求, "
        "质问, 質問, 聞かれ, 尋ね, 訊かれ, 求め",
        "must": "muss, müssen, musst, soll, sollen, sollst, bitte, ist stets, dois, doit, doivent, devez, il "
        "faut, veuillez, merci de, debe*, debes, tienes que, hay que, deve, devi, devono, bisogna, "
        "devem, precisa, moet, moeten, dient, graag, musisz, musi, należy, powin*, proszę, malı, "
        "meli, gerek*, zorunda, lütfen, должен, должн*, обязан*, следует, нужно, надо, пожалуйста, "
        "必须, 应该, 应当, 务必, 需要, 请, 要求, なければ, べき, ください, しなさい, せよ, すること, こと",
        "leave": "zugestimmt, einverstanden, genehmigt, erlaubt, eingewilligt, freigegeben, bevorzugt, "
        "wünscht, möchte, a accepté, a autorisé, a donné son accord, donné son accord, consent*, "
        "autoris*, préfère, souhaite, d'accord, approuvé*, ha aprobado, ha autorizado, autorizado*, "
        "autoriza, aprobado, aceptado, prefiere, quiere, desea, de acuerdo, ha autorizzato, ha "
        "acconsentito, ha approvato, autorizzat*, preferisce, vuole, desidera, acconsent*, autorizou, "
        "aprovou, concordou, prefere, quer, deseja, aceitou, goedgekeurd, toegestaan, akkoord, "
        "voorkeur, wil, wenst, toestemming gegeven, zgodził*, wyraził*, zatwierdził*, zaakceptował*, "
        "woli, chce, zgadza, onayladı, onay verdi, izin verdi, kabul etti, tercih eder*, istiyor, "
        "ister, согласен, согласил*, одобрил*, разрешил*, предпочита*, хочет, дал согласие, 同意, 批准, "
        "授权, 允许, 已同意, 偏好, 希望, 喜欢, 许可, 同意し, 許可し, 承認済み, 承諾, 希望し, 好み, 望んで",
        "money": "konto*, kontonummer, überweis*, zahlung*, rechnung*, compte, paiement*, virement*, facture*, "
        "cuenta*, pago*, factura*, transferencia*, conto, pagament*, fattur*, bonific*, conta, "
        "pagamento*, fatura*, rekening*, betaling*, betaal*, factuur, facturen, kont*, płatnoś*, "
        "faktur*, przelew*, hesap*, hesab*, ödeme*, счёт, счет*, плат*, перевод*, оплат*, 账户, 付款, 转账, "
        "支付, 发票, 汇款, 口座, 支払, 振込, 送金, 請求書",
        "authority": "verwaltung, geschäftsleitung, vorschrift*, verordnung*, administrateur*, direction, "
        "règlement*, administrador*, política*, dirección, amministrator*, politica aziendale, "
        "direzione, beheerder*, beleid*, directie, administrator*, zarząd*, polityk*, yönetici*, "
        "politika*, yönetim*, администратор*, политик*, руководств*, 管理员, 公司规定, 管理層, 管理者, 社内規定, 経営",
        "off": "deaktiviert, aufgehoben, ausgeschaltet, entfällt, désactivé*, levée*, suspendu*, "
        "desactivad*, suspendid*, disattivat*, sospes*, desativad*, suspens*, uitgeschakeld, "
        "opgeheven, wyłączon*, zniesion*, zawieszon*, kapalı, kaldırıl*, отключен*, снят*, отменен*, "
        "已关闭, 失效, 解除, 取消, 無効に, 解除され, 停止",
        "machine_note": "hinweis für ki*, hinweis an, notiz für, note pour, note à l'attention, à l'attention de, "
        "note aux, nota para, aviso al, aviso para, aviso ao, nota per, avviso per, opmerking voor, "
        "bericht aan, bericht voor, uwaga dla, notatka dla, not:, için not, dikkat, внимание, для ии, "
        "заметка для, примечание для, 致ai, 给ai, 注意, 提示, 宛て, への注意, へのお知らせ, 向け, 各位",
    }
)
