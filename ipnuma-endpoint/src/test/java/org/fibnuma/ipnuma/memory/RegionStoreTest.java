package org.fibnuma.ipnuma.memory;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RegionStoreTest
{
    private static final int SIZE = 64 * 1024;
    private static final RegionRequest BOX = new RegionRequest("box", 7, SIZE, 1);

    private final Path endpoint = Path.of("/dev/shm/fibnuma-test-regions-" + ProcessHandle.current().pid());

    @BeforeEach
    void makeDirectory() throws IOException
    {
        Files.createDirectories(endpoint);
    }

    @AfterEach
    void removeDirectory() throws IOException
    {
        try (Stream<Path> files = Files.walk(endpoint))
        {
            for (final Path file : (Iterable<Path>)files.sorted((a, b) -> b.compareTo(a))::iterator)
            {
                Files.delete(file);
            }
        }
    }

    @Test
    void shouldStartWithZerosAndLeaveNothingBehind() throws IOException
    {
        final RegionMapping seenByOther;
        try (RegionStore store = RegionStore.open(endpoint, 5); RegionFile file = store.open(BOX))
        {
            assertFalse(file.isRecovered());
            assertEquals(RegionState.OPEN, file.mapping().state());
            assertEquals(5, file.mapping().epoch());
            assertEquals(7, file.mapping().id());
            assertEquals("box", file.mapping().name());
            assertEquals(SIZE, file.mapping().size());
            assertEquals(0, file.mapping().address() % 4096);
            assertEquals(0, file.mapping().getLongAcquire(SIZE - 8));
            assertEquals("rw-------", PosixFilePermissions.toString(
                Files.getPosixFilePermissions(endpoint.resolve("regions/box"))));
            assertEquals(SIZE + RegionFileLayout.PAGE_LENGTH, Files.size(endpoint.resolve("regions/box")));
            seenByOther = RegionMapping.open(endpoint.resolve("regions/box"));
            file.mapping().putLongRelease(16, 0x1122334455667788L);
            assertEquals(0x1122334455667788L, seenByOther.getLongAcquire(16));
        }
        assertEquals(RegionState.CLOSED, seenByOther.state());
        seenByOther.close();
        assertFalse(Files.exists(endpoint.resolve("regions")));
    }

    private void awaitStores() throws InterruptedException
    {
        try (RegionMapping region = RegionMapping.open(endpoint.resolve("regions/box")))
        {
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (region.getLongAcquire(0) < 10_000)
            {
                assertTrue(System.nanoTime() - deadline < 0, "waited for 60 s in vain");
                Thread.sleep(1);
            }
        }
    }

    @Test
    void shouldKeepTheContentUnderAHigherEpochWhenTheEndpointWasKilled() throws Exception
    {
        final Process first = ChildJvm.start(RegionWriter.class, endpoint.toString(), "9");
        try
        {
            assertEquals('r', first.getInputStream().read());
            awaitStores();
        }
        finally
        {
            first.destroyForcibly();
            assertTrue(first.waitFor(10, TimeUnit.SECONDS));
        }
        try (RegionMapping asLeft = RegionMapping.open(endpoint.resolve("regions/box")))
        {
            assertEquals(RegionState.OPEN, asLeft.state());
            assertEquals(9, asLeft.epoch());
        }
        try (RegionStore store = RegionStore.open(endpoint, 10); RegionFile file = store.open(BOX))
        {
            final RegionMapping region = file.mapping();
            assertTrue(file.isRecovered());
            assertEquals(RegionState.RECOVERED, region.state());
            assertEquals(10, region.epoch());
            final long last = region.getLongAcquire(0);
            assertTrue(last > 0, "the writer wrote nothing");
            for (long i = Math.max(1, last - 1000); i <= last; i++)
            {
                assertEquals(i, region.getLongAcquire(RegionWriter.slot(i)), "store " + i);
            }
            assertEquals(1, store.revokeLeftovers("box"::equals));
        }
        assertFalse(Files.exists(endpoint.resolve("regions")));
    }

    @Test
    void shouldGrowTheEpochAlsoWhereTheClockWentBack()
    {
        crash(BOX, 20);
        try (RegionStore store = RegionStore.open(endpoint, 3); RegionFile file = store.open(BOX))
        {
            assertEquals(21, file.mapping().epoch());
        }
    }

    @Test
    void shouldRefuseContentOfAnotherSize()
    {
        crash(BOX, 1);
        try (RegionStore store = RegionStore.open(endpoint, 2))
        {
            final UserException refused = assertThrows(
                UserException.class, () -> store.open(new RegionRequest("box", 7, 2 * SIZE, 1)));
            assertTrue(refused.getMessage().contains("was left with 65536 bytes"), refused.getMessage());
            store.revokeLeftovers(name -> false);
        }
    }

    @Test
    void shouldBeginAnewWhereTheLeftRegionWasRevoked() throws IOException
    {
        crash(BOX, 1);
        try (RegionMapping left = RegionMapping.open(endpoint.resolve("regions/box")))
        {
            left.putIntRelease(0, 77);
            left.page().putIntRelease(RegionFileLayout.STATE_OFFSET, RegionState.REVOKED.code());
        }
        try (RegionStore store = RegionStore.open(endpoint, 2); RegionFile file = store.open(BOX))
        {
            assertFalse(file.isRecovered());
            assertEquals(0, file.mapping().getIntAcquire(0));
        }
    }

    @Test
    void shouldRefuseFilesThatAreNoRegions() throws IOException
    {
        final Path file = endpoint.resolve("file");
        Files.write(file, new byte[3]);
        assertTrue(assertThrows(UserException.class, () -> RegionMapping.open(file))
            .getMessage().contains("a region cannot have 3 bytes"));
        Files.write(file, new byte[SIZE]);
        assertTrue(assertThrows(UserException.class, () -> RegionMapping.open(file))
            .getMessage().contains("not the file of a region"));
        assertTrue(assertThrows(UserException.class, () -> RegionMapping.open(endpoint.resolve("missing")))
            .getMessage().contains("cannot map " + endpoint.resolve("missing")));
    }

    @Test
    void shouldBelongToOneProcess()
    {
        final RegionStore store = RegionStore.open(endpoint, 1);
        try
        {
            assertTrue(assertThrows(UserException.class, () -> RegionStore.open(endpoint, 2))
                .getMessage().contains(endpoint.toString()));
        }
        finally
        {
            store.close();
        }
    }

    @Test
    void shouldCheckOffsetsOfAccesses()
    {
        try (RegionStore store = RegionStore.open(endpoint, 1); RegionFile file = store.open(BOX))
        {
            final RegionMapping region = file.mapping();
            assertThrows(IndexOutOfBoundsException.class, () -> region.getLongAcquire(SIZE));
            assertThrows(IndexOutOfBoundsException.class, () -> region.getLongAcquire(-8));
            assertThrows(IllegalArgumentException.class, () -> region.getLongAcquire(4));
            assertThrows(IndexOutOfBoundsException.class, () -> region.putBytes(SIZE - 3, new byte[4], 0, 4));
            region.putBytes(SIZE - 3, new byte[]{1, 2, 3}, 0, 3);
            final byte[] back = new byte[3];
            region.getBytes(SIZE - 3, back, 0, 3);
            assertEquals(3, back[2]);
        }
    }

    @Test
    void shouldNameWhatIsWrongWithARequest()
    {
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest("../x", 1, 4096, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest(".x", 1, 4096, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest("x", 0, 4096, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest("x", 1, 4097, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest("x", 1, 2L << 30, 1));
        assertThrows(IllegalArgumentException.class, () -> new RegionRequest("x", 1, 4096, 8));
    }

    /** Leaves a region in the state of a process that ended without closing it. */
    private void crash(final RegionRequest request, final int epoch)
    {
        try (RegionStore store = RegionStore.open(endpoint, epoch))
        {
            store.open(request).mapping().close();
        }
    }
}
