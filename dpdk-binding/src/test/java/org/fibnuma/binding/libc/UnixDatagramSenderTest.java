package org.fibnuma.binding.libc;

import org.fibnuma.core.service.notify.DatagramSender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UnixDatagramSenderTest
{
    private static final int PATIENCE_MS = 30_000;
    private static final byte[] READY = "READY=1\nSTATUS=forwards".getBytes(StandardCharsets.UTF_8);
    private static final String ABSTRACT = "@fibnuma-notify-" + ProcessHandle.current().pid();

    private final DatagramSender sender = ServiceLoader.load(DatagramSender.class).findFirst().orElseThrow();

    @Test
    void shouldSendToAPath(@TempDir final Path directory)
    {
        final String path = directory.resolve("notify").toString();
        try (NotifyReceiver receiver = new NotifyReceiver(path))
        {
            assertTrue(sender.send(path, READY, PATIENCE_MS));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
            assertTrue(sender.send(path, "STOPPING=1".getBytes(StandardCharsets.UTF_8), PATIENCE_MS));
            assertEquals("STOPPING=1", receiver.receive(PATIENCE_MS));
            assertNull(receiver.receive(0));
        }
    }

    /** net.unix.max_dgram_qlen bounds the queue of a receiver that does not read. */
    @Test
    void shouldNotBlockForeverWhenTheQueueIsFull()
    {
        try (NotifyReceiver receiver = new NotifyReceiver(ABSTRACT))
        {
            int queued = 0;
            while (queued < 100_000 && sender.send(ABSTRACT, READY, 0))
            {
                queued++;
            }
            assertTrue(queued > 0 && queued < 100_000, queued + " datagrams that nobody read");
            assertFalse(sender.send(ABSTRACT, READY, 20));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
            assertTrue(sender.send(ABSTRACT, READY, 0));
        }
    }

    @Test
    void shouldSendToANameInTheAbstractNamespace()
    {
        try (NotifyReceiver receiver = new NotifyReceiver(ABSTRACT))
        {
            assertFalse(sender.send(ABSTRACT + "x", READY, PATIENCE_MS), "another name begins like this one");
            assertTrue(sender.send(ABSTRACT, READY, PATIENCE_MS));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
        }
    }

    @Test
    void shouldAcceptTheLongestNamesAndRefuseLongerOnes()
    {
        final String longest = "@" + ("fibnuma-" + ProcessHandle.current().pid() + "-").repeat(12).substring(0, 107);
        try (NotifyReceiver receiver = new NotifyReceiver(longest))
        {
            assertTrue(sender.send(longest, READY, PATIENCE_MS));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
        }
        assertFalse(sender.send(longest + "x", READY, PATIENCE_MS));
        assertFalse(sender.send("/" + "x".repeat(107), READY, PATIENCE_MS));
    }

    @Test
    void shouldReportThatNobodyReceives(@TempDir final Path directory)
    {
        assertFalse(sender.send(directory.resolve("none").toString(), READY, PATIENCE_MS));
        assertFalse(sender.send(ABSTRACT + "-none", READY, PATIENCE_MS));
        assertFalse(sender.send("relative", READY, PATIENCE_MS));
        assertFalse(sender.send("@", READY, PATIENCE_MS));
        assertFalse(sender.send("", READY, PATIENCE_MS));
    }
}
