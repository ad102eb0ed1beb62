package org.fibnuma.core.service.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

    @Test
    void shouldListTheSocketsThatAreReached(@TempDir final Path directory) throws IOException
    {
        final Path own = directory.resolve("own");
        final Path service = directory.resolve("service");
        assertEquals(Map.of(), RunDirectory.controlSockets(own, service));
        for (final Path socket : List.of(own.resolve("r.sock"), service.resolve("r.sock"), service.resolve("s.sock"),
            own.resolve("changes.lock")))
        {
            Files.createDirectories(socket.getParent());
            Files.createFile(socket);
        }
        Files.createDirectory(own.resolve("t"));
        assertEquals(Map.of("r", own.resolve("r.sock"), "s", service.resolve("s.sock")),
            RunDirectory.controlSockets(own, service));
    }
}
