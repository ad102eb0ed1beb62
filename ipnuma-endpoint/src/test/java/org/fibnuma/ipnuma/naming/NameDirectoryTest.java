package org.fibnuma.ipnuma.naming;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

class NameDirectoryTest
{
    private static final int SOURCE = Ipv4Address.parse("192.0.2.7");
    private static final String BOX = NameProtocol.request("box");

    private final NameDirectory directory = new NameDirectory("a", 1, List.of());

    NameDirectoryTest()
    {
        final RegionTable table = new RegionTable();
        final List<Ipv4Prefix> allow = List.of(Ipv4Prefix.parse("192.0.2.0/24"));
        table.add(new Region(7, "box", 4096, 65536, 3, allow, 0xFEDC_BA98_7654_3210L));
        table.add(new Region(8, "open", 4096, 4096, 1, allow, Region.NO_KEY));
        directory.publish(table);
    }

    @Test
    void shouldTellAKeyWhereNobodyElseCanReadIt()
    {
        assertEquals(0xFEDC_BA98_7654_3210L,
            NameProtocol.region(directory.answer(BOX, SOURCE, true), "box", "there").key());
    }

    @Test
    void shouldRefuseAKeyInClearTextInOneLine()
    {
        final String line = directory.answer(BOX, SOURCE, false);
        assertFalse(line.contains("fedcba98"), line);
        assertEquals("there: endpoint a does not send the key of region box to 192.0.2.7 in clear text: set " +
            "names-certificate and names-key there and use TLS here (--names-ca), or give the key with --key",
            assertThrows(UserException.class, () -> NameProtocol.region(line, "box", "there")).getMessage());
    }

    @Test
    void shouldTellEverythingElseInClearText()
    {
        final String line = directory.answer(NameProtocol.requestWithoutKey("box"), SOURCE, false);
        assertEquals("{\"endpoint\":\"a\",\"epoch\":1,\"name\":\"box\",\"id\":7,\"sizeBytes\":65536," +
            "\"access\":\"write+read\"}", line);
        assertEquals(new NamedRegion("a", 1, "box", 7, 65536, 3, Region.NO_KEY),
            NameProtocol.region(line, "box", "there"));
        assertEquals(Region.NO_KEY, NameProtocol.region(
            directory.answer(NameProtocol.request("open"), SOURCE, false), "open", "there").key());
    }
}
