import pytest

from stockbook import ImportFailed, Inventory, Money, connect
from stockbook.csvio import export_stock, import_receipts


@pytest.fixture
def inv():
    connection = connect()
    inventory = Inventory(connection)
    inventory.add_product("BOLT", "Bolt")
    yield inventory
    connection.close()


def test_import(inv):
    count = import_receipts(inv, 'SKU, Quantity ,unit_cost\nBOLT,"1,000",0.25\n,,\nbolt,5,0.25\n')
    assert count == 2
    assert inv.on_hand("BOLT") == 1005
    assert inv.average_cost("BOLT") == Money("0.25")


def test_import_from_excel(inv):
    data = "\ufeffsku,quantity,unit_cost,location\r\nBOLT,5,1,Köln\r\n".encode()
    import_receipts(inv, data)
    assert inv.locations("BOLT") == {"Köln": 5}


def test_missing_columns(inv):
    with pytest.raises(ImportFailed, match="missing columns: quantity, unit_cost"):
        import_receipts(inv, "sku\nBOLT\n")


def test_all_problems_are_reported_and_nothing_booked(inv):
    data = "sku,quantity,unit_cost\nBOLT,5,1\nNUT,1,1\nBOLT,many,1\nBOLT,1,cheap\n"
    with pytest.raises(ImportFailed) as info:
        import_receipts(inv, data)
    assert [line for line, _ in info.value.problems] == [3, 4, 5]
    assert inv.on_hand("BOLT") == 0


def test_create_products(inv):
    import_receipts(inv, "sku,name,quantity,unit_cost\nNUT,Nut,1,1\nPIN,,2,1\nNUT,Other,1,1\n", create_products=True)
    assert [(p.sku, p.name) for p in inv.products()] == [("BOLT", "Bolt"), ("NUT", "Nut"), ("PIN", "PIN")]
    assert inv.on_hand("NUT") == 2


def test_export_round_trip(inv):
    inv.receive("BOLT", 5, "1.5", location="main")
    inv.receive("BOLT", 5, "2.5", location="shop, front")
    text = export_stock(inv)
    assert text == 'sku,name,quantity,unit_cost,location\nBOLT,Bolt,5,2,main\nBOLT,Bolt,5,2,"shop, front"\n'
    other = Inventory(connect())
    assert import_receipts(other, text, create_products=True) == 2
    assert other.stock_value("BOLT") == Money("20")
    other.db.close()
