package org.fibnuma.binding.netlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NetlinkMessageFlyweightTest
{
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();

    @Test
    void shouldGoThroughMessagesWithPaddingBetween()
    {
        final UnsafeBuffer buffer = HexMessage.buffer(
            "15000000 1800 0206 2a000000 39300000  ab00000000 000000" +
            "10000000 0300 0200 2b000000 00000000");
        message.wrap(buffer, 0, buffer.capacity());

        assertTrue(message.next());
        assertEquals(0x18, message.type());
        assertEquals(0x602, message.flags());
        assertEquals(42, message.sequence());
        assertEquals(16, message.payloadOffset());
        assertEquals(5, message.payloadLength());
        assertTrue(message.next());
        assertEquals(NetlinkLayout.NLMSG_DONE, message.type());
        assertEquals(43, message.sequence());
        assertEquals(0, message.payloadLength());
        assertFalse(message.next());
        assertFalse(message.isMalformed());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "0f000000 1800 0000 00000000 00000000",
        "00000000 1800 0000 00000000 00000000",
        "11000000 1800 0000 00000000 00000000",
        "ffffffff 1800 0000 00000000 00000000",
        "10000000 1800 0000 00000000 000000",
        "01"
    })
    void shouldEndAtWhatIsNoMessage(final String hex)
    {
        final UnsafeBuffer buffer = HexMessage.buffer(hex);
        message.wrap(buffer, 0, buffer.capacity());

        assertFalse(message.next());
        assertTrue(message.isMalformed());
    }

    @Test
    void shouldTakeALastMessageWithoutItsPadding()
    {
        final UnsafeBuffer buffer = HexMessage.buffer("11000000 1800 0000 00000000 00000000 ab");
        message.wrap(buffer, 0, buffer.capacity());

        assertTrue(message.next());
        assertEquals(1, message.payloadLength());
        assertFalse(message.next());
        assertFalse(message.isMalformed());
    }

    @Test
    void shouldReadAttributesBehindTheStructure()
    {
        final NetlinkMessageFlyweight route = HexMessage.message(24, 0,
            "aabbccdd" + "0800 0100 c0000201" + "0500 0380 7a 000000" + "0a00 0240 020000000022 0000" + "0400 0700");

        assertTrue(route.wrapAttributes(attributes, 4));
        assertTrue(attributes.next());
        assertEquals(1, attributes.type());
        assertEquals(0xC0000201, attributes.networkIntValue(0));
        assertEquals(0x010200C0, attributes.intValue(0));
        assertTrue(attributes.next());
        assertEquals(3, attributes.type());
        assertEquals("z", attributes.textValue());
        assertEquals(-7, attributes.intValue(-7));
        assertEquals(-7, attributes.shortValue(-7));
        assertTrue(attributes.next());
        assertEquals(2, attributes.type());
        assertEquals(0x0200_0000_0022L, attributes.macValue());
        assertEquals(2, attributes.shortValue(0));
        assertTrue(attributes.next());
        assertEquals(7, attributes.type());
        assertEquals(0, attributes.valueLength());
        assertEquals(0, attributes.macValue());
        assertEquals("", attributes.textValue());
        assertFalse(attributes.next());
    }

    @Test
    void shouldReadAddressesOfBothFamilies()
    {
        final UnsafeBuffer buffer = HexMessage.buffer("0800 0100 c0000201" +
            "1400 0100 20010db800000005ff00000000000009" + "1000 0100 20010db800000005ff000000");

        assertTrue(attributes.wrap(buffer, 0, buffer.capacity()).next());
        assertEquals(IpAddress.parse("192.0.2.1"), attributes.addressValue());
        assertTrue(attributes.next());
        assertEquals(IpAddress.parse("2001:db8:0:5:ff00::9"), attributes.addressValue());
        assertTrue(attributes.next());
        assertEquals(IpAddress.NONE, attributes.addressValue());
    }

    @ParameterizedTest
    @ValueSource(strings = { "0300 0100", "0900 0100 00000000", "ffff 0100 00000000", "0000 0100", "0400 01" })
    void shouldEndAtWhatIsNoAttribute(final String hex)
    {
        final UnsafeBuffer buffer = HexMessage.buffer(hex);

        assertFalse(attributes.wrap(buffer, 0, buffer.capacity()).next());
    }

    @Test
    void shouldReadNestedAttributes()
    {
        final UnsafeBuffer buffer = HexMessage.buffer("1000 0980" + "0800 0500 0a000002" + "0400 0600");
        final NetlinkAttributeFlyweight nested = new NetlinkAttributeFlyweight();
        assertTrue(attributes.wrap(buffer, 0, buffer.capacity()).next());
        assertEquals(9, attributes.type());

        nested.wrapNested(attributes);

        assertTrue(nested.next());
        assertEquals(5, nested.type());
        assertEquals(0x0A000002, nested.networkIntValue(0));
        assertTrue(nested.next());
        assertEquals(6, nested.type());
        assertFalse(nested.next());
    }

    @Test
    void shouldSayWhereAMessageIsShorterThanItsStructure()
    {
        final NetlinkMessageFlyweight empty = HexMessage.message(24, 0, "aabb");

        assertFalse(empty.wrapAttributes(attributes, 4));
        assertFalse(attributes.next());
    }
}
