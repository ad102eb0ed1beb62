package org.fibnuma.fibnic.control.ipc;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ControlSocketPathTest
{
    @Test
    void shouldBeInRunForRoot()
    {
        assertEquals(Path.of("/run/fibnuma"), ControlSocketPath.directory(0, "/run/user/0"));
    }

    @Test
    void shouldBeInTheRuntimeDirectoryOfAUser()
    {
        assertEquals(Path.of("/run/user/7/fibnuma"), ControlSocketPath.directory(7, "/run/user/7"));
    }

    @Test
    void shouldBeInTmpWhereAUserHasNoRuntimeDirectory()
    {
        assertEquals(Path.of("/tmp/fibnuma-7"), ControlSocketPath.directory(7, null));
        assertEquals(Path.of("/tmp/fibnuma-7"), ControlSocketPath.directory(7, ""));
    }
}
