package org.fibnuma.core.service.http;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tables as Linux prints them, written by hand, and those of this machine. */
class LocalUsersTest
{
    private static final int OWN_USER = 109;
    private static final int OWN_GROUP = 118;
    private static final String HEAD =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
    private static final String REST =
        " 01 00000000:00000000 00:00000000 00000000 %5d        0 %s 1 0000 20 4 30 10 -1\n";

    @TempDir
    private Path proc;

    @TempDir
    private Path etc;

    private LocalUsers users;

    @BeforeEach
    void open() throws IOException
    {
        Files.createDirectory(proc.resolve("net"));
        Files.writeString(etc.resolve("passwd"), "root:x:0:0:root:/root:/bin/sh\n" +
            "fibnuma:x:109:118::/nonexistent:/bin/false\n" +
            "prometheus:x:120:120::/:/bin/false\nalice:x:1000:1000::/:/bin/sh\nbob:x:1001:118::/:/bin/sh\n" +
            "ali:x:1002:1002::/:/bin/sh\n");
        Files.writeString(etc.resolve("group"),
            "root:x:0:\nfibnuma:x:118:prometheus,alice\nalice:x:1000:\nstaff:x:1002:ali,carol\n");
        users = new LocalUsers(proc, etc, OWN_USER, OWN_GROUP);
    }

    private void write(final String table, final String addresses, final int user, final String inode)
        throws IOException
    {
        Files.writeString(proc.resolve("net").resolve(table), HEAD +
            "   0: 0100007F:2501 00000000:0000 0A" + String.format(REST, OWN_USER, "77").substring(3) +
            // The server's own end of the connection.
            "   1: 0100007F:2501 0100007F:D431" + String.format(REST, OWN_USER, "78") +
            "   2: " + addresses + String.format(REST, user, inode));
    }

    private boolean mayRead(final String client, final int port, final String server) throws IOException
    {
        return users.mayRead(new InetSocketAddress(InetAddress.getByName(client), port),
            new InetSocketAddress(InetAddress.getByName(server), 9473));
    }

    @ParameterizedTest
    @CsvSource({
        "0, true", "109, true", "120, true", "1000, true", "1001, true",
        "1002, false", "1003, false", "65534, false", "4294967294, false"
    })
    void shouldLetRootTheOwnUserAndTheGroupRead(final String user, final boolean may) throws IOException
    {
        write("tcp", "0100007F:D431 0100007F:2501", 0, "99");
        final Path table = proc.resolve("net/tcp");
        Files.writeString(table, Files.readString(table).replaceFirst(" 0( +0 99 )", " " + user + "$1"));
        assertEquals(may, mayRead("127.0.0.1", 0xD431, "127.0.0.1"));
    }

    @Test
    void shouldFindTheSocketInBothTables() throws IOException
    {
        write("tcp6", "0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:2501", 120, "99");
        assertTrue(mayRead("127.0.0.1", 0xD431, "127.0.0.1"));
        write("tcp6", "00000000000000000000000001000000:D431 00000000000000000000000001000000:2501", 120, "99");
        assertTrue(mayRead("::1", 0xD431, "::1"));
        write("tcp6", "B80D0120000000000000000001000000:D431 00000000000000000000000001000000:2501", 120, "99");
        assertTrue(mayRead("2001:db8::1", 0xD431, "::1"));
    }

    @Test
    void shouldRefuseWhoIsNotKnown() throws IOException
    {
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"), "no table");
        write("tcp", "0100007F:D432 0100007F:2501", 0, "99");
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"), "another port");
        write("tcp", "0100007F:D431 0100007F:2502", 0, "99");
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"), "another server");
        write("tcp", "0100007F:D431 0100007F:2501", 0, "0");
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"), "closed: the kernel lists root");
        Files.writeString(proc.resolve("net/tcp"), HEAD + "   2: 0100007F:D431 0100007F:2501 01\n");
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"), "another form");
    }

    @Test
    void shouldRefuseOthersWithoutTheFilesOfUsers() throws IOException
    {
        write("tcp", "0100007F:D431 0100007F:2501", 120, "99");
        assertTrue(mayRead("127.0.0.1", 0xD431, "127.0.0.1"));
        Files.delete(etc.resolve("group"));
        assertFalse(mayRead("127.0.0.1", 0xD431, "127.0.0.1"));
        write("tcp", "0100007F:D431 0100007F:2501", OWN_USER, "99");
        assertTrue(mayRead("127.0.0.1", 0xD431, "127.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "127.0.0.1", "::1" })
    void shouldFindThisProcess(final String address) throws IOException
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(address));
            Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
            Socket accepted = server.accept())
        {
            final int user = (int)Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            final LocalUsers own = new LocalUsers(Path.of("/proc"), etc, user, OWN_GROUP);
            final InetSocketAddress from = (InetSocketAddress)accepted.getRemoteSocketAddress();
            final InetSocketAddress to = (InetSocketAddress)accepted.getLocalSocketAddress();
            assertTrue(own.mayRead(from, to));
            assertFalse(own.mayRead(from, new InetSocketAddress(to.getAddress(), to.getPort() ^ 1)));
            assertTrue(client.isConnected());
        }
    }
}
