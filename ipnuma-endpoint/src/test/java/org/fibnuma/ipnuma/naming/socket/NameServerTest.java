package org.fibnuma.ipnuma.naming.socket;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.NameDirectory;
import org.fibnuma.ipnuma.naming.NamedRegion;
import org.fibnuma.ipnuma.naming.TransientLookupException;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(120)
class NameServerTest
{
    private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    private Path directoryOfFiles;
    private final RegionTable table = new RegionTable();
    private final NameDirectory directory = new NameDirectory("a", 0x8000_0001, List.of());

    NameServerTest()
    {
        table.add(new Region(
            7, "box", 4096, 65536, 3, List.of(Ipv4Prefix.parse("127.0.0.0/8")), 0xFEDC_BA98_7654_3210L));
        table.add(new Region(8, "open", 4096, 1L << 32, 1, List.of(Ipv4Prefix.parse("127.0.0.1")), Region.NO_KEY));
        table.add(new Region(9, "others", 4096, 4096, 1, List.of(Ipv4Prefix.parse("10.0.0.0/8")), 5));
        directory.publish(table);
    }

    @Test
    void shouldTellEverythingThatAPeerNeeds()
    {
        try (NameServer server = NameServer.start(ANY, directory); NameClient client = new NameClient())
        {
            assertEquals(new NamedRegion("a", 0x8000_0001, "box", 7, 65536, 3, 0xFEDC_BA98_7654_3210L),
                client.lookup(server.address(), "box", 0));
            assertEquals(new NamedRegion("a", 0x8000_0001, "open", 8, 1L << 32, 1, Region.NO_KEY),
                client.lookup(server.address(), "open", 0));
            assertEquals(7L << 32, client.lookup(server.address(), "box", 0).remoteAddress());
        }
    }

    @Test
    void shouldTellNoKeyBeyondLoopbackInClearText() throws Exception
    {
        final InetSocketAddress own = ownAddress();
        final NameDirectory trusting = new NameDirectory("a", 1, List.of(Ipv4Prefix.parse("0.0.0.0/0")));
        trusting.publish(table);
        try (NameServer server = NameServer.start(own, trusting); NameClient client = new NameClient())
        {
            final String refusal = assertThrows(UserException.class,
                () -> client.lookup(server.address(), "box", 0)).getMessage();
            assertTrue(refusal.contains("does not send the key of region box to"), refusal);
            assertEquals(Region.NO_KEY, client.lookup(server.address(), "open", 0).key());
            assertEquals(7, client.lookupWithoutKey(server.address(), "box", 0).id());
        }
    }

    @Test
    void shouldTellKeysOverTlsBeyondLoopback() throws Exception
    {
        final InetSocketAddress own = ownAddress();
        final CertificateFiles files = TestCertificate.create(
            directoryOfFiles, "names", "ip:127.0.0.1,ip:" + own.getAddress().getHostAddress());
        final NameDirectory trusting = new NameDirectory("a", 1, List.of(Ipv4Prefix.parse("0.0.0.0/0")));
        trusting.publish(table);
        try (NameServer server = NameServer.start(own, trusting, files);
            NameClient client = new NameClient(files.certificate()); NameClient plain = new NameClient())
        {
            assertEquals(0xFEDC_BA98_7654_3210L, client.lookup(server.address(), "box", 0).key());
            assertEquals(7, plain.lookupWithoutKey(server.address(), "box", 0).id());
            assertTrue(assertThrows(UserException.class, () -> plain.lookup(server.address(), "box", 0))
                .getMessage().contains("use TLS here (--names-ca)"));
        }
    }

    @Test
    void shouldTrustNoOtherCertificate() throws Exception
    {
        final CertificateFiles files = TestCertificate.create(directoryOfFiles, "names", "ip:127.0.0.1");
        final CertificateFiles other = TestCertificate.create(directoryOfFiles, "other", "ip:127.0.0.1");
        final CertificateFiles elsewhere = TestCertificate.create(directoryOfFiles, "elsewhere", "ip:192.0.2.1");
        try (NameServer server = NameServer.start(ANY, directory, files);
            NameServer renamed = NameServer.start(ANY, directory, elsewhere);
            NameServer plain = NameServer.start(ANY, directory);
            NameClient client = new NameClient(files.certificate());
            NameClient untrusting = new NameClient(other.certificate());
            NameClient misled = new NameClient(elsewhere.certificate()))
        {
            assertEquals(7, client.lookup(server.address(), "box", 0).id());
            assertUntrusted(untrusting, server);
            assertUntrusted(misled, renamed);
            final String message = assertThrows(UserException.class,
                () -> client.lookup(plain.address(), "box", 0)).getMessage();
            assertTrue(message.endsWith("does not support TLS: set names-certificate and names-key there"), message);
        }
    }

    @Test
    void shouldSayWhichCertificateItCannotUse() throws Exception
    {
        final Path file = Files.writeString(directoryOfFiles.resolve("empty.pem"), "nothing\n");
        final String server = assertThrows(UserException.class,
            () -> NameServer.start(ANY, directory, new CertificateFiles(file, file))).getMessage();
        assertTrue(server.startsWith("cannot serve names with names-certificate " + file), server);
        assertFalse(server.contains("\n"), server);
        final String client = assertThrows(UserException.class, () -> new NameClient(file)).getMessage();
        assertTrue(client.startsWith(file + " is not a PEM file of a certificate"), client);
    }

    private static void assertUntrusted(final NameClient client, final NameServer server)
    {
        final String message = assertThrows(UserException.class,
            () -> client.lookup(server.address(), "box", 0)).getMessage();
        assertTrue(message.contains("has no certificate for that address from the CA that is trusted here"), message);
    }

    /** Returns an address of this host that is not loopback; what is sent to it does not leave the host. */
    private static InetSocketAddress ownAddress() throws SocketException
    {
        final InetAddress own = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findFirst().orElse(null);
        assumeTrue(own != null, "no address but loopback");
        return new InetSocketAddress(own, 0);
    }

    @Test
    void shouldHideRegionsFromUnknownSources()
    {
        try (NameServer server = NameServer.start(ANY, directory); NameClient client = new NameClient())
        {
            final String hidden = assertThrows(TransientLookupException.class,
                () -> client.lookup(server.address(), "others", 0)).getMessage();
            final String missing = assertThrows(TransientLookupException.class,
                () -> client.lookup(server.address(), "missing", 0)).getMessage();
            assertEquals(missing, hidden);
            assertTrue(hidden.endsWith("endpoint a has no region of that name for 127.0.0.1"), hidden);
        }
    }

    @Test
    void shouldTellEveryRegionToWhomTheEndpointTrusts()
    {
        final NameDirectory trusting = new NameDirectory("a", 1, List.of(Ipv4Prefix.parse("127.0.0.0/8")));
        trusting.publish(table);
        try (NameServer server = NameServer.start(ANY, trusting); NameClient client = new NameClient())
        {
            assertEquals(5, client.lookup(server.address(), "others", 0).key());
        }
    }

    @Test
    void shouldWaitForARegionAndForgetARevokedOne() throws InterruptedException
    {
        try (NameServer server = NameServer.start(ANY, directory); NameClient client = new NameClient())
        {
            final Thread later = new Thread(() ->
            {
                table.add(new Region(
                    11, "late", 4096, 4096, 1, List.of(Ipv4Prefix.parse("127.0.0.0/8")), 6));
                directory.publish(table);
            });
            later.start();
            assertEquals(11, client.lookup(server.address(), "late", 5000).id());
            later.join();
            table.revoke(11);
            directory.publish(table);
            assertThrows(TransientLookupException.class, () -> client.lookup(server.address(), "late", 0));
        }
    }

    @Test
    void shouldWaitForTheServerAndSayWhereItIsNot() throws IOException
    {
        final InetSocketAddress free;
        try (ServerSocket socket = new ServerSocket(0))
        {
            free = new InetSocketAddress("127.0.0.1", socket.getLocalPort());
        }
        try (NameClient client = new NameClient())
        {
            final long start = System.nanoTime();
            final String message = assertThrows(UserException.class,
                () -> client.lookup(free, "box", 300)).getMessage();
            assertTrue(message.contains("127.0.0.1:" + free.getPort()), message);
            assertTrue(System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(100));
            try (NameServer server = NameServer.start(free, directory))
            {
                assertEquals(7, client.lookup(server.address(), "box", 2000).id());
                assertTrue(assertThrows(UserException.class, () -> NameServer.start(free, directory))
                    .getMessage().startsWith("cannot serve names on 127.0.0.1:"));
            }
        }
    }

    @Test
    void shouldAnswerGarbageInOneLine() throws IOException
    {
        try (NameServer server = NameServer.start(ANY, directory))
        {
            final String refusal =
                "{\"error\":\"not a request: send {\\\"lookup\\\":\\\"NAME\\\"} and a line feed\"}\n";
            assertEquals(refusal, talk(server, ascii("GET / HTTP/1.1\r\nHost: x\r\n\r\n")));
            assertEquals(refusal, talk(server, ascii("{\"lookup\":7}\n")));
            assertEquals(refusal, talk(server, ascii("[".repeat(900) + "\n")));
            assertEquals(refusal, talk(server, new byte[]{(byte)0xFF, 0, (byte)0xC0, '\n'}));
            assertEquals("{\"error\":\"a request has at most 1024 bytes\"}\n", talk(server, new byte[100_000]));
            assertTrue(talk(server, ascii("{\"lookup\":\"box\"}\n{\"lookup\":\"open\"}\n"))
                .matches("\\{[^\\n]*\"box\"[^\\n]*}\\n"));
        }
    }

    @Test
    void shouldDropWhoIsSlowAndServeOthersMeanwhile() throws IOException
    {
        final List<Socket> slow = new ArrayList<>();
        try (NameServer server = NameServer.start(ANY, directory); NameClient client = new NameClient())
        {
            for (int i = 0; i < NameServer.MAX_CONNECTIONS - 8; i++)
            {
                slow.add(new Socket("127.0.0.1", server.address().getPort()));
                slow.get(i).getOutputStream().write('{');
            }
            assertEquals(7, client.lookup(server.address(), "box", 0).id());
            for (int i = 0; i < 16; i++)
            {
                slow.add(new Socket("127.0.0.1", server.address().getPort()));
            }
            assertTrue(assertThrows(UserException.class, () -> client.lookup(server.address(), "box", 0))
                .getMessage().endsWith("too many connections: try again"));
            slow.get(0).setSoTimeout(2 * NameServer.LIFETIME_MS);
            assertEquals(-1, slow.get(0).getInputStream().read());
            assertEquals(7, client.lookup(server.address(), "box", 2000).id());
        }
        finally
        {
            for (final Socket socket : slow)
            {
                socket.close();
            }
        }
    }

    @Test
    void shouldNotBelieveAServerThatIsNone() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0); NameClient client = new NameClient())
        {
            final Thread liar = new Thread(() ->
            {
                try
                {
                    for (final String answer : List.of("SSH-2.0-x\n", "{}\n", "x".repeat(5000)))
                    {
                        try (Socket socket = server.accept())
                        {
                            socket.getInputStream().read();
                            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                            socket.getOutputStream().flush();
                            socket.getInputStream().readAllBytes();
                        }
                    }
                }
                catch (final IOException ignore)
                {
                    // The client has already received the answer.
                }
            });
            liar.start();
            final InetSocketAddress address = new InetSocketAddress("127.0.0.1", server.getLocalPort());
            assertTrue(assertThrows(UserException.class, () -> client.lookup(address, "box", 0))
                .getMessage().endsWith("does not answer like an endpoint: check that this is its port of names"));
            assertTrue(assertThrows(UserException.class, () -> client.lookup(address, "box", 0))
                .getMessage().contains("answers with an invalid region"));
            assertTrue(assertThrows(UserException.class, () -> client.lookup(address, "box", 0))
                .getMessage().contains("cannot look up region box at 127.0.0.1"));
            liar.join(TimeUnit.SECONDS.toMillis(5));
        }
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String talk(final NameServer server, final byte[] bytes) throws IOException
    {
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort()))
        {
            socket.setSoTimeout(5000);
            socket.getOutputStream().write(bytes);
            final StringBuilder answer = new StringBuilder();
            try
            {
                for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read())
                {
                    answer.append((char)next);
                }
            }
            catch (final SocketException ignore)
            {
                // The server closed with unread bytes of the client: a reset may follow the answer.
            }
            return answer.toString();
        }
    }
}
