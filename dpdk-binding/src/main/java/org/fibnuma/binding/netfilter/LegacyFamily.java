package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.libc.SysSocket;

import java.nio.file.Path;

/** The legacy filters of one family: iptables or ip6tables. Both have the options and structures of x_tables. */
enum LegacyFamily
{
    IPV4("ip", "iptables", SysSocket.AF_INET, LegacyTableLayout.SOL_IP,
        LegacyTableLayout.TARGET_OFFSET_OFFSET, LegacyTableLayout.ENTRY_SIZE),
    IPV6("ip6", "ip6tables", SysSocket.AF_INET6, LegacyTableLayout.SOL_IPV6,
        LegacyTableLayout.IPV6_TARGET_OFFSET_OFFSET, LegacyTableLayout.IPV6_ENTRY_SIZE);

    /** The files of the calling thread. Those of the process show the network namespace of its first thread. */
    private static final Path NAMES = Path.of("/proc/thread-self/net");

    private final String label;
    private final String program;
    private final int addressFamily;
    private final int optionLevel;
    private final int targetOffsetOffset;
    private final int entrySize;

    LegacyFamily(
        final String label,
        final String program,
        final int addressFamily,
        final int optionLevel,
        final int targetOffsetOffset,
        final int entrySize)
    {
        this.label = label;
        this.program = program;
        this.addressFamily = addressFamily;
        this.optionLevel = optionLevel;
        this.targetOffsetOffset = targetOffsetOffset;
        this.entrySize = entrySize;
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
}
