package org.fibnuma.core.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RunDirectoryTest
{
    @Test
    void shouldBeInRunForRoot()
    {
        assertEquals(Path.of("/run/fibnuma"), RunDirectory.of(0, "/run/user/0", null));
    }

    @Test
    void shouldBeInTheRuntimeDirectoryOfAUser()
    {
        assertEquals(Path.of("/run/user/7/fibnuma"), RunDirectory.of(7, "/run/user/7", ""));
    }

    @Test
    void shouldBeInTmpWhereAUserHasNoRuntimeDirectory()
    {
        assertEquals(Path.of("/tmp/fibnuma-7"), RunDirectory.of(7, null, null));
        assertEquals(Path.of("/tmp/fibnuma-7"), RunDirectory.of(7, "", null));
    }

    @Test
    void shouldBeTheDirectoryThatSystemdHasMadeForTheService()
    {
        assertEquals(Path.of("/run/fibnuma-service"), RunDirectory.of(7, "/run/user/7", "/run/fibnuma-service"));
        assertEquals(Path.of("/run/fibnuma-service"), RunDirectory.of(0, null, "/run/fibnuma-service"));
    }

    @Test
    void shouldReachTheOwnRouterBeforeThatOfTheService(@TempDir final Path directory) throws IOException
    {
        final Path own = Files.createDirectory(directory.resolve("own"));
        final Path service = Files.createDirectory(directory.resolve("service"));
        assertEquals(own.resolve("r.sock"), RunDirectory.controlSocketFor(own, service, "r"));
        Files.createFile(service.resolve("r.sock"));
        assertEquals(service.resolve("r.sock"), RunDirectory.controlSocketFor(own, service, "r"));
        Files.createFile(own.resolve("r.sock"));
        assertEquals(own.resolve("r.sock"), RunDirectory.controlSocketFor(own, service, "r"));
    }
}
