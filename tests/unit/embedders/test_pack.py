"""The packaged model: its tokens, its vectors, and what is said when a pack is broken."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from trigraph.assembly import embedder_loader
from trigraph.embedders.pack import PackEmbedder, packaged_folder
from trigraph.errors import ModelUnavailable
from trigraph.model.status import EmbeddingModel
from trigraph.settings import EmbedderSettings

PACK = packaged_folder("trigraph_model_granite")

TEXTS = (
    "", " ", "\n", "   ", "\t\ta", "a\n\n\nb", "a  b   c    d", "trailing   ", "trailing\n\n", "\r\nwindows\r\n",
    "I'm sure we've said you're DON'T it's they'll he'd", "I'M SHOUTING 'S 'T", "it`s 'tis rock'n'roll",
    "Ünïcödé naïve café Straße ŁÓDŹ İstanbul ǅ ﬁ ﬂ ½ Ⅷ ²", "e\u0301 combining a\u0308", "a\u0300\u0301\u0302", "ß SS ẞ",
    "日本語のテキスト。漢字とかな。", "中文 文本，标点！", "한국어 텍스트", "العربية نص", "עברית טקסט", "हिन्दी पाठ",
    "ไทยข้อความ", "Ελληνικά κείμενο ς Σ", "Русский текст ё Й", "١٢٣ ๑๒๓", "１２３ ＦＵＬＬ ｗｉｄｔｈ",
    "😀 emoji 👨‍👩‍👧‍👦 family 🇩🇪 flag 👍🏽 skin", "zero\u200bwidth\u200djoin\ufeffbom",
    "nbsp\u00a0here\u2003em\u3000wide", "soft\u00adhyphen", "\x01ctl\x7f", "\ufffd replacement",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙", "\u2028line\u2029para\x85nel",
    'def f(x: int) -> str:\n    """Doc."""\n    return f"{x!r}"  # note\n',
    "for (int i=0;i<10;i++){ a[i]+=b[i]&0xff; }",
    '{"key": [1, 2.5, -3e10, null], "s": "\\u00e9"}', "SELECT * FROM t WHERE a='b' -- c",
    "https://example.org/a/b?c=d&e=%20f#g", "user@example.com +49 (0)30 123-456", "$1,234.56 €99 100% 12:30 2024-01-31",
    "C++ C# .NET a_b_c camelCase SCREAMING_SNAKE kebab-case", "!!! ??? ... --- *** ___ ``` ~~~", "“curly” ‘quotes’ — …",
    "a" * 300, "word " * 700, "x.y.z" * 100, "∀x∈ℝ: ∑ → ✓ ☃ ₿", "SPEC-054 depends on ADR #12",
)  # fmt: skip


def _varied_texts(count: int) -> list[str]:
    """The texts above, then random ones from mixed alphabets, always the same."""
    dice = random.Random(7)
    pools = [
        "abc XYZ 019 '.,\n\t",
        " \n\t\r ab'sTll",
        "éüßñ çÀ ",
        "日本語 漢 ",
        "😀👍🏽🇩🇪 \u200d",
        "\u00a0\u2003\u3000\u200b\u00ad ab",
    ]
    made = list(TEXTS)
    while len(made) < count:
        made.append("".join(dice.choice(dice.choice(pools)) for _ in range(dice.randrange(1, 80))))
    return made


@pytest.fixture(scope="module")
def pack() -> PackEmbedder:
    return PackEmbedder(PACK, threads=1)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the pack, to be damaged."""
    for name in ("manifest.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((PACK / name).read_bytes())
    (tmp_path / "model.onnx").symlink_to(PACK / "model.onnx")
    return tmp_path


def test_texts_become_the_tokens_that_the_reference_gives(pack: PackEmbedder) -> None:
    reference = Tokenizer.from_file(str(PACK / "tokenizer.json"))
    reference.enable_truncation(512)
    reference.no_padding()
    texts = _varied_texts(200)

    expected = [encoding.ids for encoding in reference.encode_batch(texts)]
    assert max(map(len, expected)) == 512
    for text, ids, right in zip(texts, pack._encode(texts), expected, strict=True):
        assert ids == right, ascii(text)


def test_special_tokens_written_in_a_text_are_plain_text(pack: PackEmbedder) -> None:
    ((start, *inner, end),) = pack._encode(["<s> </s> <pad> <mask>"])

    assert (start, end) == (0, 2)
    assert not {0, 1, 2, 3, 50264} & set(inner)


# Worked out in float64 by plain numpy from the source weights, without any ONNX runtime. Without the session
# options of the manifest the runtime may be off by 1e-3.
@pytest.mark.parametrize(
    ("text", "first_eight"),
    [
        (
            "Postgres 16 holds the billing tables",
            [0.0130774, 0.0435626, -0.0105161, 0.012408, -0.0379675, -0.0282203, -0.0383709, 0.0131633],
        ),
        (
            "¿Dónde está la biblioteca? 東京 🦑",
            [-0.0131621, 0.0418732, 0.0519922, 0.0394033, -0.0251623, -0.0307519, 0.0027007, 0.0109566],
        ),
        (
            "def parse_config(path: str) -> dict[str, int]:\n    return {}",
            [0.0069191, -0.0316148, 0.0675868, -0.0026447, -0.053052, 0.0058792, 0.0385337, -0.0226606],
        ),
    ],
)
def test_vectors_are_those_of_the_model(pack: PackEmbedder, text: str, first_eight: list[float]) -> None:
    assert pack.embed_query(text)[:8] == pytest.approx(first_eight, abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(pack: PackEmbedder) -> None:
    texts = [text for text in _varied_texts(90) if len(text) < 200]
    together = pack.embed_documents(texts)
    alone = np.stack([pack.embed_query(text) for text in texts])

    assert together.shape == (len(texts), 384)
    assert together.dtype == np.float32
    assert np.abs(together - alone).max() < 1e-5
    assert len({row.tobytes() for row in together}) > 60


def test_vectors_have_unit_length(pack: PackEmbedder) -> None:
    lengths = np.linalg.norm(pack.embed_documents(_varied_texts(60)), axis=1)

    assert lengths == pytest.approx(np.ones(60), abs=1e-5)


def test_a_text_beyond_512_tokens_is_cut_there(pack: PackEmbedder) -> None:
    # " word" is one token; start and end take two of the 512.
    full, longer, shorter = ("word" + " word" * count for count in (509, 900, 400))
    one, other, third = pack.embed_documents([full, longer + " and more", shorter])

    assert one == pytest.approx(other, abs=1e-6)
    assert np.abs(one - third).max() > 1e-3


def test_progress_counts_every_text_once(pack: PackEmbedder) -> None:
    done: list[int] = []
    pack.embed_documents([f"text {number}" for number in range(70)], done.append)

    assert sum(done) == 70
    assert len(done) > 1


def test_no_texts_give_no_vectors(pack: PackEmbedder) -> None:
    assert pack.embed_documents([]).shape == (0, 384)
    assert pack.model == EmbeddingModel("granite-embedding-30m-english", 384)


class TestBrokenPacks:
    def test_a_damaged_tokenizer_is_noticed(self, broken: Path) -> None:
        (broken / "tokenizer.json").write_bytes((broken / "tokenizer.json").read_bytes() + b" ")

        _check_says_command(broken, "The tokenizer in .* is not the one its manifest names")

    def test_a_missing_model_is_noticed(self, broken: Path) -> None:
        (broken / "model.onnx").unlink()

        _check_says_command(broken, "cannot be loaded")

    def test_a_cut_model_is_noticed(self, broken: Path) -> None:
        (broken / "model.onnx").unlink()
        (broken / "model.onnx").write_bytes((PACK / "model.onnx").read_bytes()[:1_000_000])

        _check_says_command(broken, "cannot be loaded")

    @pytest.mark.parametrize("content", ["", "{", "{}", '{"files": {}}'])
    def test_a_broken_manifest_is_noticed(self, broken: Path, content: str) -> None:
        (broken / "manifest.json").write_text(content, encoding="utf-8")

        _check_says_command(broken, "is not a model pack")

    def test_a_folder_that_is_not_there_is_noticed(self, tmp_path: Path) -> None:
        _check_says_command(tmp_path / "nowhere", "is not a model pack")

    def test_a_package_that_is_not_installed_is_named(self) -> None:
        with pytest.raises(ModelUnavailable, match=r"trigraph_model_missing is not installed\. Run `make model`"):
            embedder_loader(EmbedderSettings(package="trigraph_model_missing"))()


def _check_says_command(folder: Path, problem: str) -> None:
    with pytest.raises(ModelUnavailable, match=problem) as failed:
        embedder_loader(EmbedderSettings(pack=str(folder)))()
    assert failed.value.fix is not None
    assert "Run `make model`" in failed.value.fix


OUTLIVED = """
import threading
from trigraph.embedders.pack import Tokenizer, packaged_folder

def done(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

made = []
for number in range(10):
    done(lambda: made.append(Tokenizer(packaged_folder("trigraph_model_granite"))) or made[-1].encode(["x"]))
    done(lambda: print(len(made[-1].encode(["A gull sits on the crane"])[0])))
    made.clear()
"""


def test_a_tokenizer_outlives_the_thread_that_used_it_first() -> None:
    done = subprocess.run([sys.executable, "-c", OUTLIVED], capture_output=True, text=True, check=False)
    assert (done.returncode, len(set(done.stdout.split())), done.stdout.count("\n")) == (0, 1, 10), done.stderr
