package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.RequestBytes;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TupleCodecTest
{
    private static final String IPV4 = "1400 0180 08000100 c0000202 08000200 c6336402";
    private static final String IPV6 = "2c00 0180 14000300 20010db8000000010000000000000002" +
        "14000400 20010db8000000020000000000000003";

    @ParameterizedTest
    @CsvSource({
        "192.0.2.2, 198.51.100.2, 6, 57554, 8080, 3400 0180 " + IPV4 +
        "1c00 0280 05000100 06000000 06000200 e0d20000 06000300 1f900000",
        "192.0.2.2, 198.51.100.2, 1, 7, 2049, 3c00 0180 " + IPV4 +
        "2400 0280 05000100 01000000 06000400 00070000 05000500 08000000 05000600 01000000",
        "2001:db8:0:1::2, 2001:db8:0:2::3, 17, 53, 65535, 4c00 0180 " + IPV6 +
        "1c00 0280 05000100 11000000 06000200 00350000 06000300 ffff0000",
        "2001:db8:0:1::2, 2001:db8:0:2::3, 58, 65535, 32768, 5400 0180 " + IPV6 +
        "2400 0280 05000100 3a000000 06000700 ffff0000 05000800 80000000 05000900 00000000"
    })
    void shouldWriteAndReadTuples(final String source, final String destination, final int protocol,
        final int sourcePort, final int destinationPort, final String hex)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        final FlowTuple tuple =
            new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, destinationPort);
        final NetlinkRequest request = new NetlinkRequest(256).begin(0x100, 0, 1, 4);
        final int header = request.length();

        TupleCodec.write(request, 1, tuple);

        final String expected = hex.replace(" ", "");
        assertEquals(expected, RequestBytes.hex(request).substring(2 * header));
        final NetlinkAttributeFlyweight attribute = new NetlinkAttributeFlyweight();
        assertTrue(attribute.wrap(HexMessage.buffer(expected), 0, expected.length() / 2).next());
        assertEquals(tuple, new TupleCodec().read(attribute, tuple.isIpv6()));
    }
}
