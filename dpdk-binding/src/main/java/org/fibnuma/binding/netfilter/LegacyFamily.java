package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;

import java.nio.file.Path;

/** The legacy filters of one family: iptables or ip6tables. Both have the options and structures of x_tables. */
enum LegacyFamily
{
    IPV4("ip", "iptables", SysSocket.AF_INET, LegacyTableLayout.SOL_IP,
        LegacyTableLayout.TARGET_OFFSET_OFFSET, LegacyTableLayout.ENTRY_SIZE, LegacyTableLayout.IPT_F_GOTO)
    {
        @Override
        PacketMatch matches(final DirectBuffer buffer, final int entry, final int protocol)
        {
            final int flags = buffer.getByte(entry + LegacyTableLayout.FLAGS_OFFSET);
            final int inverted = buffer.getByte(entry + LegacyTableLayout.FLAGS_OFFSET + Byte.BYTES);
            final boolean isFragment = (flags & LegacyTableLayout.IPT_F_FRAG) != 0 &&
                (inverted & LegacyTableLayout.IPT_INV_FRAG) == 0;
            return isFragment ? PacketMatch.NO :
                ofMasks(buffer, entry + LegacyTableLayout.MASKS_OFFSET, LegacyTableLayout.MASKS_LENGTH)
                .and(ofMasks(buffer,
                entry + LegacyTableLayout.DEVICE_MASKS_OFFSET, LegacyTableLayout.DEVICE_MASKS_LENGTH))
                .and(ofProtocol(
                buffer.getShort(entry + LegacyTableLayout.PROTOCOL_OFFSET), inverted, protocol));
        }
    },
    IPV6("ip6", "ip6tables", SysSocket.AF_INET6, LegacyTableLayout.SOL_IPV6,
        LegacyTableLayout.IPV6_TARGET_OFFSET_OFFSET, LegacyTableLayout.IPV6_ENTRY_SIZE,
        LegacyTableLayout.IP6T_F_GOTO)
    {
        @Override
        PacketMatch matches(final DirectBuffer buffer, final int entry, final int protocol)
        {
            final int flags = buffer.getByte(entry + LegacyTableLayout.IPV6_FLAGS_OFFSET);
            final int inverted = buffer.getByte(entry + LegacyTableLayout.IPV6_FLAGS_OFFSET + Byte.BYTES);
            return ofMasks(buffer, entry + LegacyTableLayout.IPV6_MASKS_OFFSET, LegacyTableLayout.IPV6_MASKS_LENGTH)
                .and(ofMasks(buffer,
                entry + LegacyTableLayout.IPV6_DEVICE_MASKS_OFFSET, LegacyTableLayout.DEVICE_MASKS_LENGTH))
                .and(ofProtocol(
                buffer.getShort(entry + LegacyTableLayout.IPV6_PROTOCOL_OFFSET), inverted, protocol))
                .and((flags & LegacyTableLayout.IP6T_F_TOS) != 0 ? PacketMatch.PER_PACKET : PacketMatch.YES);
        }
    };

    /** The files of the calling thread. Those of the process show the network namespace of its first thread. */
    private static final Path NAMES = Path.of("/proc/thread-self/net");

    private final String label;
    private final String program;
    private final int addressFamily;
    private final int optionLevel;
    private final int targetOffsetOffset;
    private final int entrySize;
    private final int gotoFlag;

    LegacyFamily(
        final String label,
        final String program,
        final int addressFamily,
        final int optionLevel,
        final int targetOffsetOffset,
        final int entrySize,
        final int gotoFlag)
    {
        this.label = label;
        this.program = program;
        this.addressFamily = addressFamily;
        this.optionLevel = optionLevel;
        this.targetOffsetOffset = targetOffsetOffset;
        this.entrySize = entrySize;
        this.gotoFlag = gotoFlag;
    }

    /** Returns the family's name in nftables. */
    String label()
    {
        return label;
    }

    /** Returns the name of the program that sets the rules, {@code iptables} or {@code ip6tables}. */
    String program()
    {
        return program;
    }

    /** Returns the file with the names of the tables in use. */
    Path names()
    {
        return NAMES.resolve(label + "_tables_names");
    }

    /** Returns the address family of the socket for requests. */
    int addressFamily()
    {
        return addressFamily;
    }

    /** Returns the level of the socket's options. */
    int optionLevel()
    {
        return optionLevel;
    }

    /** Returns the position in a table's entry of the offset of its target. The offset of the next entry follows it. */
    int targetOffsetOffset()
    {
        return targetOffsetOffset;
    }

    /** Returns the size in bytes of a table's entry without its matches and target. */
    int entrySize()
    {
        return entrySize;
    }

    /**
     * Returns whether the head of an entry, at an offset, holds for the packets of {@link PacketMatch} of a protocol.
     */
    abstract PacketMatch matches(DirectBuffer buffer, int entry, int protocol);

    /** Returns whether the verdict of the entry at an offset is a goto instead of a jump, if it names a chain. */
    boolean isGoto(final DirectBuffer buffer, final int entry)
    {
        final int flags = this == IPV4 ? LegacyTableLayout.FLAGS_OFFSET : LegacyTableLayout.IPV6_FLAGS_OFFSET;
        return (buffer.getByte(entry + flags) & gotoFlag) != 0;
    }

    private static PacketMatch ofMasks(final DirectBuffer buffer, final int offset, final int length)
    {
        boolean isWildcard = true;
        for (int i = 0; i < length; i++)
        {
            isWildcard &= buffer.getByte(offset + i) == 0;
        }
        return isWildcard ? PacketMatch.YES : PacketMatch.MAYBE;
    }

    private static PacketMatch ofProtocol(final int compared, final int inverted, final int protocol)
    {
        if (compared == 0)
        {
            return PacketMatch.YES;
        }
        final PacketMatch match = PacketMatch.certain(compared == protocol);
        return (inverted & LegacyTableLayout.IPT_INV_PROTO) != 0 ? match.not() : match;
    }
}
