package org.fibnuma.core.host;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RunDirectoryTest
{
    @Test
    void shouldBeInRunForRoot()
    {
        assertEquals(Path.of("/run/fibnuma"), RunDirectory.of(0, "/run/user/0"));
    }

    @Test
    void shouldBeInTheRuntimeDirectoryOfAUser()
    {
        assertEquals(Path.of("/run/user/7/fibnuma"), RunDirectory.of(7, "/run/user/7"));
    }

    @Test
    void shouldBeInTmpWhereAUserHasNoRuntimeDirectory()
    {
        assertEquals(Path.of("/tmp/fibnuma-7"), RunDirectory.of(7, null));
        assertEquals(Path.of("/tmp/fibnuma-7"), RunDirectory.of(7, ""));
    }
}
