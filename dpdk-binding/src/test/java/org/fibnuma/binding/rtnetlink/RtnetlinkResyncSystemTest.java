package org.fibnuma.binding.rtnetlink;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What happens when there are more changes than notifications that can wait, and when a dump races with a change. */
@Timeout(120)
class RtnetlinkResyncSystemTest
{
    private static final int SMALL_RECEIVE_BUFFER_LENGTH = 32 * 1024;
    private static final int FLOOD = 3000;
    private static final int FLAPS = 10;

    @Test
    void shouldDumpAgainAfterNotificationsWereLost() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(SMALL_RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            flood(bed, "add", "10.0.0.2");
            bed.settle();
            assertTrue(bed.tables.dumps > 1, "no notification was lost");
            bed.assertSame("add");

            final int dumps = bed.tables.dumps;
            flood(bed, "del", "10.0.0.2");
            bed.settle();
            assertTrue(bed.tables.dumps > dumps, "no notification was lost");
            bed.assertSame("del");
        }
    }

    @Test
    void shouldNotDumpAgainWhereNothingWasLost() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            bed.settle();
            final int dumps = bed.tables.dumps;
            flood(bed, "add", "10.0.0.2");
            bed.settle();
            assertEquals(dumps, bed.tables.dumps);
            bed.assertSame("add");
        }
    }

    @Test
    void shouldDumpOnlyAfterTheKernelHasRemovedTheRoutesOfALinkThatGoesDown() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            for (int i = 0; i < FLAPS; i++)
            {
                bed.namespace.ip("link set d0 up");
                flood(bed, "add", "10.7.0.2");
                bed.settle();
                assertTrue(bed.tables.routes.size() > FLOOD);

                // Polls all the time, so that the dump is asked for while the kernel still removes routes.
                final Thread other = new Thread(() -> bed.namespace.ip("link set d0 down"));
                other.start();
                bed.pollUntil(() -> !other.isAlive(), 10_000);
                bed.settle();
                bed.assertSame("down " + i);
            }
        }
    }

    private static void flood(final KernelTestBed bed, final String verb, final String via)
        throws IOException
    {
        final StringBuilder commands = new StringBuilder();
        for (int i = 0; i < FLOOD; i++)
        {
            commands.append("route ").append(verb).append(" 20.").append(i >> 8).append('.').append(i & 0xFF)
                .append(".0/24 via ").append(via).append('\n');
        }
        final Path file = Files.createTempFile("fibnuma", ".batch");
        try
        {
            Files.writeString(file, commands);
            bed.namespace.ipBatch(file.toFile());
        }
        finally
        {
            Files.delete(file);
        }
    }
}
