package org.fibnuma.binding.netfilter;

/**
 * What is known about 4 bytes of a register of nf_tables for the packets of {@link PacketMatch}. Values are in the
 * format of {@link PacketMatch#leftAligned}.
 *
 * @param values    possible values; bits outside {@code known} mean nothing.
 * @param known     bits that are known.
 * @param perPacket what makes the unknown bits different from packet to packet; null if they are the same in all
 *                  packets of a connection's direction.
 */
record PacketRegister(int[] values, int known, String perPacket)
{
    private static final int TOP_BYTE = Integer.SIZE - Byte.SIZE;

    /** The same in all packets of a connection. */
    static final PacketRegister CONSTANT = new PacketRegister(new int[1], 0, null);
    static final PacketRegister STATE =
        known(PacketMatch.ofMachine(PacketMatch.STATE_ESTABLISHED));
    static final PacketRegister ZERO = known(0);
    static final PacketRegister TCP_FLAGS = new PacketRegister(new int[]{PacketMatch.TCP_FLAGS << TOP_BYTE},
        PacketMatch.KNOWN_TCP_FLAGS << TOP_BYTE, "tcp flags");
    /** All but the bit that forbids fragmentation. */
    static final PacketRegister FRAGMENT = new PacketRegister(new int[1], 0xBFFF_0000, "ip frag-off");

    /** Returns a register that is different from packet to packet. */
    static PacketRegister perPacket(final String reason)
    {
        return new PacketRegister(new int[1], 0, reason);
    }

    /** Returns a register with a known byte, followed by zeros. */
    static PacketRegister knownByte(final int value)
    {
        return known(value << TOP_BYTE);
    }

    private static PacketRegister known(final int value)
    {
        return new PacketRegister(new int[]{value}, -1, null);
    }

    /** Returns the register after {@code (value & mask) ^ xor}. */
    PacketRegister masked(final int mask, final int xor)
    {
        final int[] results = new int[values.length];
        for (int i = 0; i < results.length; i++)
        {
            results[i] = values[i] & mask ^ xor;
        }
        final int knownNow = known | ~mask;
        return new PacketRegister(results, knownNow, knownNow == -1 ? null : perPacket);
    }

    /** Returns whether the first bytes, those of {@code lengthMask}, are equal to a value. */
    PacketMatch isEqual(final int value, final int lengthMask)
    {
        int equal = 0;
        int different = 0;
        for (final int possible : values)
        {
            final int differing = (possible ^ value) & lengthMask;
            if ((differing & known) != 0)
            {
                different++;
            }
            else if ((lengthMask & ~known) == 0)
            {
                equal++;
            }
        }
        return different == values.length ? PacketMatch.NO : equal == values.length ? PacketMatch.YES :
            (lengthMask & ~known) == 0 || perPacket == null ? PacketMatch.MAYBE : PacketMatch.PER_PACKET;
    }

    /** Returns whether the first bytes, those of {@code lengthMask}, are known but for several possibilities. */
    boolean isKnown(final int lengthMask)
    {
        return (lengthMask & ~known) == 0;
    }
}
