"""Words that usually name a part of something: general English, no names of any project."""

from __future__ import annotations

PART_NOUNS = frozenset(
    """
    adapter addon agent alternator antenna api appendix arm assembly attic axle backend balcony band bar basement
    battery bay bearing bed bell belt bios blade board body bolt bonnet boot box bracket brake brakes branch bucket
    buckle bulb bumper bus button cabin cable cache caliper camera cap carburetor cartridge case catalog ceiling
    chain chamber chapter charger chassis chimney chip circuit clamp clause cli client clutch coil collector column
    committee component compressor condenser config configuration connector console controller coolant core corridor
    cover crankshaft cylinder daemon dashboard database deck department display division dock door drain drawer
    drive driver driveshaft driveway duct dynamo element elevator endpoint engine exhaust extension fan faucet
    fender filter floor foot frame freezer frontend fuse garage garden gasket gate gauge gear gearbox generator
    glass grill grille gutter handle handlebar harness hatch head header headlight heater hinge hood hook horn hose
    housing hub hull index injector inlet input interface jack joint kernel key keyboard keyhole kitchen knob lamp
    latch layer leg lens library lid light lights line lock loft loop manifold mast memory menu middleware mirror
    module motor mount mouth nozzle office outlet output pad page pane panel parser part pedal pedestal pin pipe
    pipeline piston plate plug plugin pool porch port processor pulley pump queue rack radar radiator radio rail
    receiver reel regulator relay replica reservoir rim ring rod roof room rotor router rudder runtime saddle
    scheduler schema screen screw sdk seal seat section sensor server shaft shard sheet shelf shell shield sink
    sleeve slot socket solenoid spark speaker spoke spring squad stack stairs stairwell stand starter stem step
    storage strap strut subsystem subteam suspension switch table tank tap team terminal terrace thermostat tile
    timer tire toolbar topic trailer transformer transmission trigger trunk tube turbine turbo tyre ui unit valve
    vent wall warehouse washer wheel wheels widget window windows windshield wing winch wiper wire wiring worker
    workers yard
    """.split()
)
_DEVICE_ENDINGS = ("ator", "ometer", "ograph", "shaft", "plate", "wheel", "board")


def is_part_noun(word: str) -> bool:
    """Whether a word, as the head of a name, usually is a part of what stands before it."""
    word = word.casefold()
    return word in PART_NOUNS or word.removesuffix("s") in PART_NOUNS or word.endswith(_DEVICE_ENDINGS)
