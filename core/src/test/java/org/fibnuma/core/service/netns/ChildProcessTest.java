package org.fibnuma.core.service.netns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs that a thread starts and ends. */
class ChildProcessTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /** As where SIGTERM has interrupted a command. */
    @Test
    void shouldLetAProgramCleanUpWhenItsThreadIsInterrupted() throws IOException
    {
        final Path made = Files.createFile(directory.resolve("made"));
        final ChildProcess program = ChildProcess.start(
            "sh", "-c", "trap 'rm " + made + "; exit' TERM; echo ready; while :; do sleep 0.01; done");
        program.awaitLine("ready"::equals, PATIENCE);
        Thread.currentThread().interrupt();
        program.close();
        assertTrue(Thread.interrupted());
        assertFalse(program.isAlive());
        assertFalse(Files.exists(made));
    }
}
