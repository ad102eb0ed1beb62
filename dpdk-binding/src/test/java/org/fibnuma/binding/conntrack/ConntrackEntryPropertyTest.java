package org.fibnuma.binding.conntrack;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fibnuma.binding.netlink.HexMessage;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/** Whatever arrives, nothing throws and nothing is read outside the datagram, whose buffer ends where it ends. */
class ConntrackEntryPropertyTest
{
    private static final int IPCTNL_MSG_CT_NEW = 0x100;

    private final ConntrackEntry.Decoder decoder = new ConntrackEntry.Decoder();

    @Property
    void shouldSurviveTruncation(@ForAll("samples") final byte[] sample)
    {
        for (int length = 0; length <= sample.length; length++)
        {
            decode(Arrays.copyOf(sample, length));
        }
    }

    @Property(tries = 5_000)
    void shouldSurviveDamage(@ForAll("samples") final byte[] sample, @ForAll final long seed)
    {
        final byte[] payload = sample.clone();
        final Random random = new Random(seed);
        for (int i = random.nextInt(6); i >= 0; i--)
        {
            payload[random.nextInt(payload.length)] = (byte)random.nextInt();
        }
        decode(Arrays.copyOf(payload, payload.length - random.nextInt(8)));
    }

    @Property(tries = 5000)
    void shouldSurviveNoise(@ForAll final byte[] noise)
    {
        decode(noise);
    }

    @Provide
    Arbitrary<byte[]> samples()
    {
        return Arbitraries.of(Samples.TCP_NEW, Samples.TCP_ESTABLISHED)
            .map(sample -> HexFormat.of().parseHex(sample.replace(" ", "")));
    }

    private void decode(final byte[] payload)
    {
        final ConntrackEntry entry =
            decoder.decode(HexMessage.message(IPCTNL_MSG_CT_NEW, 0, HexFormat.of().formatHex(payload)));
        if (entry != null)
        {
            entry.toString();
        }
    }
}
