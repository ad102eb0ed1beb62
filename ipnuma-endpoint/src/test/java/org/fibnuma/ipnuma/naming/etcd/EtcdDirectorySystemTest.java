package org.fibnuma.ipnuma.naming.etcd;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.CloseHelper;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry.PublishedRegion;
import org.fibnuma.ipnuma.naming.socket.TestCertificate;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The directory in Debian's etcd on loopback. */
@Timeout(300)
class EtcdDirectorySystemTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int LEASE_SECONDS = 2;
    private static final DirectoryEntry LEFT = new DirectoryEntry("left", Ipv4Address.parse("10.9.0.1"), 7,
        "10.9.0.1:3423", List.of(new PublishedRegion("box", 1, 65_536, RegionAccess.WRITE)));
    private static final DirectoryEntry RIGHT =
        new DirectoryEntry("right", Ipv4Address.parse("10.9.0.2"), 8, null, List.of());

    private static final String DELETED = "directory: the entry of endpoint left was deleted; writes it again";

    @TempDir
    private Path directory;
    private EtcdProcess etcd;
    /** Closed in the opposite order. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Logger logger = (Logger)LoggerFactory.getLogger("org.fibnuma.ipnuma.naming.etcd");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>()
    {
        @Override
        protected void append(final ILoggingEvent event)
        {
            lines.add(event.getFormattedMessage());
        }
    };

    @BeforeAll
    static void require()
    {
        Require.program("etcd", "etcd-server");
        Require.program("etcdctl", "etcd-client");
    }

    @BeforeEach
    void listen()
    {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop()
    {
        logger.detachAppender(appender);
        CloseHelper.closeAll(opened);
        if (etcd != null)
        {
            etcd.close();
        }
    }

    private DirectorySettings start() throws IOException
    {
        etcd = new EtcdProcess(directory.resolve("data"), null);
        etcd.start();
        return settings(LEASE_SECONDS);
    }

    private DirectorySettings settings(final int leaseSeconds)
    {
        return new DirectorySettings(
            List.of(etcd.uri()), DirectorySettings.DEFAULT_PREFIX, leaseSeconds, null, null, null);
    }

    /** The known endpoints by name, kept by the thread of a watch. */
    private static final class Known implements DirectoryListener
    {
        private final ConcurrentMap<String, DirectoryEntry> entries = new ConcurrentHashMap<>();

        @Override
        public void onEndpoint(final DirectoryEntry entry)
        {
            entries.put(entry.name(), entry);
        }

        @Override
        public void onGone(final DirectoryEntry last)
        {
            assertEquals(last, entries.remove(last.name()));
        }

        void await(final Map<String, DirectoryEntry> expected)
        {
            EtcdDirectorySystemTest.await(() -> entries.equals(expected), () -> expected + " from " + entries);
        }
    }

    private static void await(final BooleanSupplier met, final Supplier<String> what)
    {
        final long start = System.nanoTime();
        while (!met.getAsBoolean())
        {
            assertTrue(System.nanoTime() - start < PATIENCE_NS, what);
            Thread.onSpinWait();
        }
    }

    private void awaitLine(final String line)
    {
        await(() -> lines.contains(line), () -> line + " in " + lines);
    }

    private Known watch(final DirectorySettings settings)
    {
        final Known known = new Known();
        opened.addFirst(DirectoryWatch.start(settings, known));
        return known;
    }

    private DirectoryRegistration register(final DirectorySettings settings, final DirectoryEntry entry)
    {
        final DirectoryRegistration registration = DirectoryRegistration.start(settings, entry);
        opened.addFirst(registration);
        return registration;
    }

    @Test
    void shouldFindEachOtherByName() throws IOException
    {
        final DirectorySettings settings = start();
        final Known known = watch(settings);
        final DirectoryRegistration left = register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        assertEquals(
            new ObjectMapper().readTree("{\"name\":\"left\",\"address\":\"10.9.0.1\",\"epoch\":7," +
                "\"names\":\"10.9.0.1:3423\",\"regions\":[{\"name\":\"box\",\"id\":1,\"sizeBytes\":65536," +
                "\"access\":\"write\"}]}"),
            new ObjectMapper().readTree(etcd.run("get", "/fibnuma/endpoints/left", "--print-value-only")));
        final DirectoryRegistration right = register(settings, RIGHT);
        known.await(Map.of("left", LEFT, "right", RIGHT));
        final DirectoryEntry more = new DirectoryEntry("right", RIGHT.ipv4(), RIGHT.epoch(), null,
            List.of(new PublishedRegion("new", 3, 4096, RegionAccess.READ)));
        right.update(more);
        known.await(Map.of("left", LEFT, "right", more));
        assertEquals(List.of(LEFT, more), DirectoryWatch.list(settings));
        right.close();
        known.await(Map.of("left", LEFT));
        left.close();
        assertEquals("", etcd.run("get", "--prefix", "/fibnuma/"));
    }

    @Test
    void shouldLoseAKilledEndpointWithItsLease() throws IOException
    {
        final DirectorySettings settings = start();
        final Known known = watch(settings);
        try (ChildProcess program = ChildProcess.startTied(JavaProgram.command(
            RegisteringProgram.class.getName(), etcd.uri().toString(), Integer.toString(LEASE_SECONDS), "dying")))
        {
            await(() -> known.entries.containsKey("dying"), () -> program.errors().toString());
            program.kill();
            known.await(Map.of());
        }
    }

    @Test
    void shouldKeepKnownEndpointsWhileEtcdIsDown() throws IOException
    {
        final DirectorySettings settings = start();
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        etcd.kill();
        final DirectoryRegistration right = register(settings, RIGHT);
        assertThrows(UserException.class, () -> DirectoryWatch.list(settings));
        assertEquals(Map.of("left", LEFT), known.entries);
        etcd.start();
        known.await(Map.of("left", LEFT, "right", RIGHT));
        right.close();
        known.await(Map.of("left", LEFT));
    }

    @Test
    void shouldRegisterAgainAfterTheLeaseHasEnded() throws IOException
    {
        final DirectorySettings settings = start();
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        final String lease = etcd.run("lease", "list").lines().reduce((first, last) -> last).orElseThrow();
        etcd.run("lease", "revoke", lease);
        await(() -> etcd.run("get", "/fibnuma/endpoints/left", "--print-value-only").contains("10.9.0.1"),
            () -> "not registered again");
        known.await(Map.of("left", LEFT));
    }

    @Test
    void shouldWriteADeletedEntryAgain() throws IOException
    {
        start();
        final DirectorySettings settings = settings(3 * LEASE_SECONDS);
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        for (int times = 1; times <= 2; times++)
        {
            final int expected = times;
            etcd.run("del", "/fibnuma/endpoints/left");
            await(() -> lines.stream().filter(DELETED::equals).count() == expected, () -> "a line more in " + lines);
            await(() -> etcd.run("get", "/fibnuma/endpoints/left", "-w", "json").contains("\"lease\""),
                () -> "not written with a lease");
            known.await(Map.of("left", LEFT));
        }
    }

    @Test
    void shouldSayNothingWhileEtcdIsQuiet() throws Exception
    {
        final DirectorySettings settings = start();
        final HttpClient http = HttpClient.newHttpClient();
        final HttpRequest metrics = HttpRequest.newBuilder(etcd.uri().resolve("/metrics")).build();
        watch(settings);
        long reads = 0;
        final long start = System.nanoTime();
        while (reads < 4)
        {
            reads = http.send(metrics, HttpResponse.BodyHandlers.ofLines()).body()
                .filter(line -> line.startsWith("grpc_server_started_total{grpc_method=\"Range\""))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1))).sum();
            assertTrue(System.nanoTime() - start < PATIENCE_NS, "the list is read again with each lease");
            Thread.sleep(100);
        }
        final List<String> slow = lines.stream().filter(line -> line.contains("timed out")).toList();
        assertEquals(2 * slow.size(), lines.size(), lines::toString);
    }

    @Test
    void shouldLogInAsAUserAndAgainAfterAChangeOfThePassword() throws IOException
    {
        start();
        final Path password = enableUsers();
        final DirectorySettings settings = withUser("/fibnuma/", new EtcdUser("fib", password));
        final Known known = watch(settings);
        final DirectoryRegistration left = register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        assertEquals(List.of(LEFT), DirectoryWatch.list(settings));
        Files.writeString(password, "changed");
        etcd.run("--user", "root:root", "user", "delete", "fib");
        etcd.run("--user", "root:root", "user", "add", "fib:changed");
        etcd.run("--user", "root:root", "user", "grant-role", "fib", "fib");
        final DirectoryEntry moved = new DirectoryEntry("left", LEFT.ipv4(), 9, null, List.of());
        left.update(moved);
        known.await(Map.of("left", moved));
        left.close();
        known.await(Map.of());
    }

    /** Creates user fib with role fib, which may write below /fibnuma/ and read below /read/. */
    private Path enableUsers() throws IOException
    {
        etcd.run("user", "add", "root:root");
        etcd.run("user", "grant-role", "root", "root");
        etcd.run("role", "add", "fib");
        etcd.run("role", "grant-permission", "fib", "readwrite", "--prefix=true", "/fibnuma/");
        etcd.run("role", "grant-permission", "fib", "read", "--prefix=true", "/read/");
        etcd.run("user", "add", "fib:secret");
        etcd.run("user", "grant-role", "fib", "fib");
        etcd.run("auth", "enable");
        return Files.writeString(directory.resolve("password"), "secret\n");
    }

    private DirectorySettings withUser(final String prefix, final EtcdUser user)
    {
        return new DirectorySettings(List.of(etcd.uri()), prefix, LEASE_SECONDS, null, null, user);
    }

    @Test
    void shouldGiveEtcdsOwnReasonForEveryRefusal() throws IOException
    {
        start();
        final EtcdUser user = new EtcdUser("fib", Files.writeString(directory.resolve("early"), "secret"));
        shouldRefuse("/fibnuma/", user, "auth/authenticate: etcdserver: authentication is not enabled");
        final Path password = enableUsers();
        shouldRefuse("/fibnuma/", null, "kv/range: etcdserver: user name is empty");
        shouldRefuse("/fibnuma/", new EtcdUser("fib", Files.writeString(directory.resolve("wrong"), "wrong")),
            "auth/authenticate: etcdserver: authentication failed, invalid user ID or password");
        shouldRefuse("/other/", new EtcdUser("fib", password), "kv/range: etcdserver: permission denied");
        register(withUser("/read/", new EtcdUser("fib", password)), RIGHT);
        awaitLine("directory: cannot register endpoint right: etcd at " + etcd.uri() +
            " refuses /v3/kv/txn: etcdserver: permission denied; tries again");
        register(withUser("/fibnuma/", null), LEFT);
        awaitLine("directory: cannot register endpoint left: etcd at " + etcd.uri() +
            " refuses /v3/kv/txn: etcdserver: user name is empty; tries again");
    }

    private void shouldRefuse(final String prefix, final EtcdUser user, final String reason)
    {
        final DirectorySettings settings = withUser(prefix, user);
        final String refusal = "etcd at " + etcd.uri() + " refuses /v3/" + reason;
        assertEquals(refusal, assertThrows(UserException.class, () -> DirectoryWatch.list(settings)).getMessage());
        watch(settings);
        awaitLine("directory: " + refusal + "; keeps 0 known endpoints and tries again");
    }

    @Test
    void shouldGiveEtcdsReasonForARefusedWatch() throws IOException
    {
        start();
        enableUsers();
        final EtcdClient client = new EtcdClient(List.of(etcd.uri()), null, null);
        try (EtcdClient.Watch watch = client.watch("/fibnuma/", 1))
        {
            assertEquals("etcd at " + etcd.uri() + " refuses /v3/watch: rpc error: code = InvalidArgument desc = " +
                "etcdserver: user name is empty", assertThrows(IOException.class, () -> watch.read(null)).getMessage());
        }
    }

    @Test
    void shouldGiveANameToOneAddressOnly() throws IOException
    {
        final DirectorySettings settings = start();
        final DirectoryEntry other = new DirectoryEntry("left", Ipv4Address.parse("10.9.0.9"), 9, null, List.of());
        final DirectoryEntry restarted =
            new DirectoryEntry("left", LEFT.ipv4(), LEFT.epoch() + 1, LEFT.names(), LEFT.regions());
        final Known known = watch(settings);
        final DirectoryRegistration first = register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        register(settings, other);
        final DirectoryRegistration again = register(settings, restarted);
        known.await(Map.of("left", restarted));
        first.close();
        assertEquals(List.of(restarted), DirectoryWatch.list(settings));
        assertEquals(Map.of("left", restarted), known.entries);
        again.close();
        known.await(Map.of("left", other));
    }

    @Test
    void shouldIgnoreWhatIsNoEndpoint() throws IOException
    {
        final DirectorySettings settings = start();
        etcd.run("put", "/fibnuma/endpoints/odd", "'{\"name\":\"odd\",\"address\":\"nowhere\"}'");
        etcd.run("put", "/fibnuma/endpoints/text", "text");
        etcd.run("put", "/fibnuma/endpoint", "'{}'");
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        etcd.run("put", "/fibnuma/endpoints/left", "'{\"name\":\"left\"}'");
        known.await(Map.of());
    }

    @Test
    void shouldUseTlsWithACertificateOfTheClient() throws Exception
    {
        final CertificateFiles certificate = TestCertificate.create(directory, "etcd", "ip:127.0.0.1");
        etcd = new EtcdProcess(directory.resolve("data"), certificate);
        etcd.start();
        final DirectorySettings settings = new DirectorySettings(
            List.of(etcd.uri()), "/other/", LEASE_SECONDS, certificate.certificate(), certificate, null);
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        final DirectorySettings withoutCertificate = new DirectorySettings(
            List.of(etcd.uri()), "/other/", LEASE_SECONDS, certificate.certificate(), null, null);
        assertThrows(UserException.class, () -> DirectoryWatch.list(withoutCertificate));
    }
}
