package org.fibnuma.fibnic.ports;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

class InterfaceSpeedTest
{
    private static final String MAC = "02:00:00:00:00:0a";

    @TempDir
    private Path directory;

    @BeforeEach
    void writeTheAddress() throws IOException
    {
        Files.writeString(directory.resolve("address"), MAC + "\n");
    }

    @Test
    void shouldReadMegabits() throws IOException
    {
        Files.writeString(directory.resolve("speed"), "25000\n");
        assertEquals(25_000_000_000L, InterfaceSpeed.read(directory, MAC));
    }

    @Test
    void shouldNotTakeTheInterfaceOfAnotherNamespace() throws IOException
    {
        Files.writeString(directory.resolve("speed"), "25000\n");
        assertEquals(InterfaceSpeed.UNKNOWN, InterfaceSpeed.read(directory, "02:00:00:00:00:0b"));
    }

    @Test
    void shouldReturnUnknownWithoutALink() throws IOException
    {
        assertEquals(InterfaceSpeed.UNKNOWN, InterfaceSpeed.read(directory, MAC));
        Files.writeString(directory.resolve("speed"), "-1\n");
        assertEquals(InterfaceSpeed.UNKNOWN, InterfaceSpeed.read(directory, MAC));
        Files.writeString(directory.resolve("speed"), "\n");
        assertEquals(InterfaceSpeed.UNKNOWN, InterfaceSpeed.read(directory, MAC));
    }
}
