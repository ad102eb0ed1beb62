package org.fibnuma.binding.libc;

import org.fibnuma.core.service.DatagramSender;
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
            assertTrue(sender.send(path, READY));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
            assertTrue(sender.send(path, "STOPPING=1".getBytes(StandardCharsets.UTF_8)));
            assertEquals("STOPPING=1", receiver.receive(PATIENCE_MS));
            assertNull(receiver.receive(0));
        }
    }

    @Test
    void shouldSendToANameInTheAbstractNamespace()
    {
        try (NotifyReceiver receiver = new NotifyReceiver(ABSTRACT))
        {
            assertFalse(sender.send(ABSTRACT + "x", READY), "another name begins like this one");
            assertTrue(sender.send(ABSTRACT, READY));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
        }
    }

    @Test
    void shouldAcceptTheLongestNamesAndRefuseLongerOnes()
    {
        final String longest = "@" + ("fibnuma-" + ProcessHandle.current().pid() + "-").repeat(12).substring(0, 107);
        try (NotifyReceiver receiver = new NotifyReceiver(longest))
        {
            assertTrue(sender.send(longest, READY));
            assertEquals("READY=1\nSTATUS=forwards", receiver.receive(PATIENCE_MS));
        }
        assertFalse(sender.send(longest + "x", READY));
        assertFalse(sender.send("/" + "x".repeat(107), READY));
    }

    @Test
    void shouldReportThatNobodyReceives(@TempDir final Path directory)
    {
        assertFalse(sender.send(directory.resolve("none").toString(), READY));
        assertFalse(sender.send(ABSTRACT + "-none", READY));
        assertFalse(sender.send("relative", READY));
        assertFalse(sender.send("@", READY));
        assertFalse(sender.send("", READY));
    }
}
