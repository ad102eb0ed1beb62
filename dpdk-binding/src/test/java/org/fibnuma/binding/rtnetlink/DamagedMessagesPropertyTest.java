package org.fibnuma.binding.rtnetlink;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Whatever arrives, nothing throws and nothing is read outside the datagram: the buffers end where it ends and check
 * every access.
 */
class DamagedMessagesPropertyTest
{
    private static final int HEADER_LENGTH = 16;

    private final NextHops nextHops = new NextHops();
    private final RouteDecoder routes = new RouteDecoder(nextHops, new InterfaceStates());
    private final LinkDecoder links = new LinkDecoder();
    private final AddressDecoder addresses = new AddressDecoder();
    private final NeighborDecoder neighbors = new NeighborDecoder();

    @Property
    void shouldSurviveTruncation(@ForAll("samples") final String sample)
    {
        final UnsafeBuffer whole = HexMessage.buffer(sample);
        for (int length = 0; length <= whole.capacity(); length++)
        {
            decodeAll(datagram(bytes(whole, length)));
        }
    }

    @Property(tries = 5000)
    void shouldSurviveDamage(@ForAll("samples") final String sample, @ForAll final long seed)
    {
        final UnsafeBuffer whole = HexMessage.buffer(sample);
        final byte[] payload = bytes(whole, whole.capacity());
        final Random random = new Random(seed);
        for (int i = random.nextInt(6); i >= 0; i--)
        {
            payload[random.nextInt(payload.length)] = (byte)random.nextInt();
        }
        decodeAll(datagram(payload));
    }

    @Property(tries = 5000)
    void shouldSurviveNoise(@ForAll final byte[] noise)
    {
        decodeAll(datagram(noise));
        final NetlinkMessageFlyweight message =
            new NetlinkMessageFlyweight().wrap(new UnsafeBuffer(noise), 0, noise.length);
        while (message.next())
        {
            decodeAll(message);
        }
    }

    @Provide
    Arbitrary<String> samples() throws IllegalAccessException
    {
        final List<String> samples = new ArrayList<>();
        for (final Field field : Samples.class.getDeclaredFields())
        {
            if (field.getType() == String.class)
            {
                samples.add((String)field.get(null));
            }
        }
        return Arbitraries.of(samples);
    }

    private void decodeAll(final NetlinkMessageFlyweight message)
    {
        links.decode(message);
        addresses.decode(message);
        neighbors.decode(message);
        nextHops.onNew(message);
        routes.decode(message);
        nextHops.onDeleted(message);
    }

    private static byte[] bytes(final UnsafeBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private static NetlinkMessageFlyweight datagram(final byte[] payload)
    {
        final byte[] bytes = new byte[HEADER_LENGTH + payload.length];
        System.arraycopy(payload, 0, bytes, HEADER_LENGTH, payload.length);
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length)));
        buffer.putInt(0, bytes.length);
        return HexMessage.first(buffer);
    }
}
