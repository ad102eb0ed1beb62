package org.fibnuma.core.service.host;

import org.fibnuma.core.counter.CountersFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A record of a process that has ended, and its files. */
class KilledProcessesTest
{
    private final String name = "killed-" + ProcessHandle.current().pid();
    private final Path shared = CountersFile.directoryOf(name);
    private final List<String> lines = new ArrayList<>();

    @TempDir
    private Path run;
    private Path socket;

    @BeforeEach
    void leave() throws Exception
    {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        final ProcessIdentity own = ProcessIdentity.own();
        final Path records = Files.createDirectories(run.resolve(name));
        new ChangeRecord(new ProcessIdentity(own.namespace(), process.pid(), own.start()), List.of())
            .write(records.resolve(process.pid() + ChangeRecord.SUFFIX));
        socket = Files.createFile(run.resolve(name + ".sock"));
        Files.createDirectories(shared);
    }

    @AfterEach
    void removeShared() throws IOException
    {
        Files.deleteIfExists(shared.resolve("regions"));
        Files.deleteIfExists(shared);
    }

    @Test
    void shouldRemoveCountersAndSocketAndKeepRegions() throws IOException
    {
        Files.createFile(shared.resolve("regions"));
        Files.createFile(shared.resolve("counters"));

        KilledProcesses.cleanUp(run, lines::add);

        assertFalse(Files.exists(socket));
        assertFalse(Files.exists(run.resolve(name)));
        assertFalse(Files.exists(shared.resolve("counters")));
        assertTrue(Files.exists(shared.resolve("regions")), "the next endpoint of the name recovers them");
        assertEquals(List.of(), lines);
    }

    @Test
    void shouldLeaveTheFilesOfOneThatRunsAgain()
    {
        try (CountersFile counters = CountersFile.create(shared, 1))
        {
            KilledProcesses.cleanUp(run, lines::add);
            assertTrue(Files.exists(counters.file()));
            assertTrue(Files.exists(socket));
        }
    }

    @Test
    void shouldNotMindThatNothingHasEverRun()
    {
        KilledProcesses.cleanUp(run.resolve("missing"), lines::add);
        assertEquals(List.of(), lines);
    }
}
