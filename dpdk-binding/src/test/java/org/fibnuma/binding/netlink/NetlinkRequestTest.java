package org.fibnuma.binding.netlink;

import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class NetlinkRequestTest
{
    private final NetlinkRequest request = new NetlinkRequest(128);

    @Test
    void shouldWriteRequestsOneBehindTheOther()
    {
        request.begin(0x18, 0x500, 7, 5).putByte(0, 2).putByte(4, 9).addIpv4(1, 0xC0000200).addInt(4, 3);
        request.begin(0x1a, 0, 8, 4).putShort(2, 0x1234).addFlags(NetlinkLayout.NLM_F_ACK);

        assertEquals(hex(
            "28000000 1800 0105 07000000 00000000" + "02000000 09000000" + "0800 0100 c0000200" + "0800 0400 03000000" +
            "14000000 1a00 0500 08000000 00000000" + "0000 3412"), written());
    }

    @Test
    void shouldWriteAddressesOfBothFamilies()
    {
        request.begin(0x1c, 0, 7, 4).addAddress(1, IpAddress.parse("192.0.2.1"))
            .addAddress(1, IpAddress.parse("2001:db8:0:5:ff00::9"));

        assertEquals(hex("30000000 1c00 0100 07000000 00000000" + "00000000" + "0800 0100 c0000201" +
            "1400 0100 20010db800000005ff00000000000009"), written());
    }

    @Test
    void shouldWriteNumbersInNetworkOrderAndClearTheirPadding()
    {
        request.begin(0x18, 0, 7, 4).addLongs(1, -1, -1).addLongs(1, -1, -1);

        request.clear().begin(0x100, 0, 7, 4).addByte(1, 0x1FF).addNetworkShort(2, 0x11234).addNetworkInt(3, 0x12345678)
            .addLongs(4, 1, 2);

        assertEquals(hex("40000000 0001 0100 07000000 00000000 00000000" + "0500 0100 ff000000" +
            "0600 0200 12340000" + "0800 0300 12345678" + "1400 0400 0100000000000000 0200000000000000"), written());
    }

    @Test
    void shouldNumberRequests()
    {
        request.begin(0x18, 0, 0, 5).begin(0x19, 0, 0, 4);

        assertEquals(24, request.number(0, 8));
        assertEquals(44, request.number(24, 9));
        assertEquals(hex("18000000 1800 0100 08000000 00000000 00000000 00000000" +
            "14000000 1900 0100 09000000 00000000 00000000"), written());
    }

    @Test
    void shouldForgetWhatWasWritten()
    {
        request.begin(0x18, 0, 7, 4).putInt(0, -1);
        request.clear().begin(0x19, 0, 8, 4);

        assertEquals(hex("14000000 1900 0100 08000000 00000000 00000000"), written());
    }

    private static String hex(final String text)
    {
        return text.replace(" ", "");
    }

    private String written()
    {
        return RequestBytes.hex(request);
    }
}
