package org.fibnuma.ipnuma.naming.etcd;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.CloseHelper;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.JavaProgram;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry.NamedArea;
import org.fibnuma.ipnuma.naming.socket.TestCertificate;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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
        "10.9.0.1:3423", List.of(new NamedArea("box", 1, 65_536, RegionAccess.WRITE)));
    private static final DirectoryEntry RIGHT =
        new DirectoryEntry("right", Ipv4Address.parse("10.9.0.2"), 8, null, List.of());

    @TempDir
    private Path directory;
    private EtcdProcess etcd;
    /** Closed in the opposite order. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeAll
    static void require()
    {
        Require.program("etcd", "etcd-server");
        Require.program("etcdctl", "etcd-client");
    }

    @AfterEach
    void stop()
    {
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
            List.of(etcd.uri()), DirectorySettings.DEFAULT_PREFIX, leaseSeconds, null, null);
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
            List.of(new NamedArea("new", 3, 4096, RegionAccess.READ)));
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
            List.of(etcd.uri()), "/other/", LEASE_SECONDS, certificate.certificate(), certificate);
        final Known known = watch(settings);
        register(settings, LEFT);
        known.await(Map.of("left", LEFT));
        final DirectorySettings withoutCertificate = new DirectorySettings(
            List.of(etcd.uri()), "/other/", LEASE_SECONDS, certificate.certificate(), null);
        assertThrows(UserException.class, () -> DirectoryWatch.list(withoutCertificate));
    }
}
