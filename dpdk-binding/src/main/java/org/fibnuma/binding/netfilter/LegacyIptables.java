package org.fibnuma.binding.netfilter;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostRestriction;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the tables of legacy iptables or ip6tables, which have no notifications. Only tables in use are read, because a
 * request makes the kernel load the table. One thread, in one network namespace.
 */
final class LegacyIptables implements AutoCloseable
{
    private static final Map<Integer, String> CHAINS = Map.of(
        NftablesLayout.NF_INET_PRE_ROUTING, "PREROUTING", NftablesLayout.NF_INET_FORWARD, "FORWARD",
        NftablesLayout.NF_INET_POST_ROUTING, "POSTROUTING");

    /** Most attempts; a rule added between the two requests makes the second one fail. */
    private static final int MAX_ATTEMPTS = 8;

    /** The table whose chains only the first packet of a connection passes. */
    private static final String NAT = "nat";
    private static final int NO_SOCKET = -1;
    private static final long DIGEST_FACTOR = 31;

    private final LibC libC = LibC.get();
    private final LegacyFamily family;
    private final int fd;
    private long digest;

    /**
     * Opens a socket in the calling thread's network namespace; none if the kernel does not have the family.
     *
     * @throws SystemCallException if the kernel refuses for another reason.
     */
    LegacyIptables(final LegacyFamily family)
    {
        this.family = family;
        final int socket = libC.socket(family.addressFamily(), SysSocket.SOCK_DGRAM | SysSocket.SOCK_CLOEXEC, 0);
        fd = socket < 0 && Errno.EAFNOSUPPORT.is(Errno.last()) ? NO_SOCKET :
            SystemCallException.check(socket, "socket(" + family + ")");
    }

    /**
     * Reads the tables.
     *
     * @return one restriction for each chain that forwarded packets pass and that can drop or change them; none if
     * legacy iptables is not in use; one of kind UNREADABLE if this process may not read the list of tables.
     * @throws UserException if the kernel refuses.
     */
    List<HostRestriction> restrictions()
    {
        digest = 0;
        try
        {
            return restrictions(
                Files.readAllLines(family.names()).stream().filter(name -> !name.isBlank()).sorted().toList());
        }
        catch (final NoSuchFileException ex)
        {
            return List.of();
        }
        catch (final AccessDeniedException ex)
        {
            // Reading every table would make the kernel load all of them, including connection tracking.
            return List.of(new HostRestriction(
                HostRestriction.Kind.UNREADABLE,
                "legacy " + family.program() + ", if it is in use: only root may read /proc/net/" +
                family.names().getFileName(), family.program() + "-legacy -S FORWARD",
                HostRestriction.Scope.family(family == LegacyFamily.IPV6)));
        }
        catch (final IOException ex)
        {
            throw new UserException(
                "cannot read which tables of legacy " + family.program() + " are in use: " + ex.getMessage(), ex);
        }
    }

    /** Returns a digest of the rules that {@link #restrictions()} has read, without their counters; 0 for none. */
    long digest()
    {
        return digest;
    }

    private List<HostRestriction> restrictions(final List<String> tables)
    {
        final List<HostRestriction> restrictions = new ArrayList<>();
        for (final String table : tables)
        {
            int attempts = 0;
            while (!read(table, restrictions))
            {
                attempts++;
                if (attempts == MAX_ATTEMPTS)
                {
                    throw refused(table, Errno.EAGAIN.number());
                }
            }
        }
        return restrictions;
    }

    /** Returns false if the table changed meanwhile. */
    private boolean read(final String table, final List<HostRestriction> restrictions)
    {
        try (StructMemory info = new StructMemory(LegacyTableLayout.INFO_SIZE))
        {
            info.putString(0, table, LegacyTableLayout.TABLE_NAME_SIZE);
            if (!get(LegacyTableLayout.IPT_SO_GET_INFO, info, table))
            {
                return false;
            }
            final int size = info.getInt(LegacyTableLayout.INFO_SIZE_OFFSET);
            try (StructMemory entries = new StructMemory(LegacyTableLayout.ENTRIES_OFFSET + size))
            {
                entries.putString(0, table, LegacyTableLayout.TABLE_NAME_SIZE)
                    .putInt(LegacyTableLayout.ENTRIES_SIZE_OFFSET, size);
                if (!get(LegacyTableLayout.IPT_SO_GET_ENTRIES, entries, table))
                {
                    return false;
                }
                final LegacyTable rules = new LegacyTable(
                    family, new UnsafeBuffer(entries.address(), entries.size()),
                    LegacyTableLayout.ENTRIES_OFFSET, size);
                classify(table, info, rules, restrictions);
                digest = DIGEST_FACTOR * digest + rules.digest();
            }
            return true;
        }
    }

    private void classify(
        final String name, final StructMemory info, final LegacyTable table, final List<HostRestriction> restrictions)
    {
        for (int hook = 0; hook < LegacyTableLayout.HOOKS; hook++)
        {
            final boolean valid = (info.getInt(LegacyTableLayout.INFO_VALID_HOOKS_OFFSET) & 1 << hook) != 0;
            final int offset = hook * Integer.BYTES;
            final int first = info.getInt(LegacyTableLayout.INFO_HOOK_ENTRY_OFFSET + offset);
            final int policy = info.getInt(LegacyTableLayout.INFO_UNDERFLOW_OFFSET + offset);
            if (valid && CHAINS.containsKey(hook) && !table.isHarmless(first, policy))
            {
                final String command = family.program() + "-legacy -t " + name + " -S ";
                final HostRestriction whole = new HostRestriction(HostRestriction.Kind.NETFILTER,
                    "legacy " + family.program() + " table " + family.label() + " " + name + ", chain " +
                    CHAINS.get(hook), command + CHAINS.get(hook),
                    HostRestriction.Scope.family(family == LegacyFamily.IPV6));
                restrictions.addAll(NAT.equals(name) ? List.of(whole) : PacketFinding.restrictions(
                    whole, command, CHAINS.get(hook),
                    (isIpv6, protocol) -> LegacyWalk.find(table, first, policy, protocol)));
            }
        }
    }

    private boolean get(final int option, final StructMemory value, final String table)
    {
        try (StructMemory length = new StructMemory(Integer.BYTES))
        {
            length.putInt(0, value.size());
            if (libC.getsockopt(fd, family.optionLevel(), option, value.address(), length.address()) == 0)
            {
                return true;
            }
            final int errno = Errno.last();
            if (Errno.EAGAIN.is(errno))
            {
                return false;
            }
            throw refused(table, errno);
        }
    }

    private UserException refused(final String table, final int errno)
    {
        return new UserException("cannot read table " + table + " of legacy " + family.program() + ": " +
            Errno.text(errno) + "; therefore the rules that the router would bypass are unknown");
    }

    @Override
    public void close()
    {
        if (fd != NO_SOCKET)
        {
            libC.close(fd);
        }
    }
}
