package org.fibnuma.core.service.http;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The users of this host that may read from a server on a loopback address: root, the user of this process and members
 * of its group, as with its control socket. The kernel lists the user of each TCP socket of the network namespace in
 * {@code /proc/net/tcp} and {@code tcp6} (Linux 6.18, net/ipv4/tcp_ipv4.c, {@code get_tcp4_sock}). Users and groups are
 * those of {@code /etc/passwd} and {@code /etc/group}; others are refused. Any thread.
 */
final class LocalUsers
{
    private static final int ROOT = 0;
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int UID = 7;
    private static final int INODE = 9;
    /** Inode of a socket that no process has any more. Its user is listed as 0. */
    private static final String NO_INODE = "0";
    private static final String BETWEEN_FIELDS = ":";

    private final Path proc;
    private final Path etc;
    private final int ownUser;
    private final int ownGroup;

    /** Makes the check of a process with the directories {@code /proc} and {@code /etc}. */
    LocalUsers(final Path proc, final Path etc, final int ownUser, final int ownGroup)
    {
        this.proc = proc;
        this.etc = etc;
        this.ownUser = ownUser;
        this.ownGroup = ownGroup;
    }

    /** Makes the check of this process. */
    static LocalUsers ofThisProcess() throws IOException
    {
        final Path self = Path.of("/proc/self");
        return new LocalUsers(Path.of("/proc"), Path.of("/etc"),
            (int)Files.getAttribute(self, "unix:uid"), (int)Files.getAttribute(self, "unix:gid"));
    }

    /**
     * Returns whether the user of the socket at the other end of a connection, which is on this host, may read; false
     * also if the user is unknown.
     */
    boolean mayRead(final InetSocketAddress client, final InetSocketAddress server)
    {
        try
        {
            final int user = userOf(client, server);
            return user == ROOT || user == ownUser || user > ROOT && isMember(user);
        }
        catch (final IOException | RuntimeException ex)
        {
            // A file is not readable or has another format.
            return false;
        }
    }

    /** Returns -1 if no process has the socket. */
    private int userOf(final InetSocketAddress client, final InetSocketAddress server) throws IOException
    {
        for (final String table : List.of("tcp", "tcp6"))
        {
            final boolean isWide = table.equals("tcp6");
            final String local = kernelText(client, isWide);
            final String remote = kernelText(server, isWide);
            final Path file = proc.resolve("net").resolve(table);
            if (local == null || remote == null || !Files.exists(file))
            {
                continue;
            }
            try (Stream<String> lines = Files.lines(file))
            {
                final Optional<String[]> socket = lines.filter(line -> line.contains(local + " " + remote))
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[LOCAL].equals(local) && fields[REMOTE].equals(remote) &&
                        !fields[INODE].equals(NO_INODE))
                    .findFirst();
                if (socket.isPresent())
                {
                    return Integer.parseInt(socket.get()[UID]);
                }
            }
        }
        return -1;
    }

    /**
     * Returns address and TCP port as the kernel prints them: words of 32 bits in the byte order of x86-64, in hex.
     * Null for an IPv6 address in the table of IPv4.
     */
    private static String kernelText(final InetSocketAddress socket, final boolean isWide)
    {
        final InetAddress address = socket.getAddress();
        final byte[] bytes = address.getAddress();
        if (!isWide && !(address instanceof Inet4Address))
        {
            return null;
        }
        final StringBuilder text = new StringBuilder(isWide && address instanceof Inet4Address ?
            "0000000000000000FFFF0000" : "");
        for (int word = 0; word < bytes.length; word += Integer.BYTES)
        {
            for (int i = Integer.BYTES - 1; i >= 0; i--)
            {
                text.append(String.format("%02X", bytes[word + i]));
            }
        }
        return text.append(String.format(":%04X", socket.getPort())).toString();
    }

    private boolean isMember(final int user) throws IOException
    {
        // name:password:uid:gid:...
        final Optional<String[]> account = fields("passwd", 2, user);
        if (account.isEmpty())
        {
            return false;
        }
        // name:password:gid:members
        return Integer.parseInt(account.get()[3]) == ownGroup || fields("group", 2, ownGroup)
            .filter(group -> group.length > 3 && Arrays.asList(group[3].split(",")).contains(account.get()[0]))
            .isPresent();
    }

    private Optional<String[]> fields(final String file, final int column, final int number) throws IOException
    {
        try (Stream<String> lines = Files.lines(etc.resolve(file)))
        {
            return lines.map(line -> line.split(BETWEEN_FIELDS))
                .filter(line -> line.length > column && line[column].equals(Integer.toString(number)))
                .findFirst();
        }
    }
}
