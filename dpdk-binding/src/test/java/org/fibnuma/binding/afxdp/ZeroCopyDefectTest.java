package org.fibnuma.binding.afxdp;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class ZeroCopyDefectTest
{
    @TempDir
    Path modules;

    @BeforeEach
    void makeModules() throws IOException
    {
        for (final String module : new String[] {"virtio_net", "igb"})
        {
            Files.createDirectory(modules.resolve(module));
            Files.createFile(modules.resolve(module).resolve("initstate"));
        }
    }

    @Test
    void shouldNotUseZeroCopyOfALoadableVirtioDriver()
    {
        assertFalse(ZeroCopyDefect.of("virtio_net", modules).isEmpty());
    }

    @Test
    void shouldUseZeroCopyOfABuiltInVirtioDriver() throws IOException
    {
        Files.delete(modules.resolve("virtio_net").resolve("initstate"));

        assertEquals("", ZeroCopyDefect.of("virtio_net", modules));
        assertEquals("", ZeroCopyDefect.of("virtio_net", modules.resolve("none")));
    }

    @Test
    void shouldUseZeroCopyOfOtherDrivers()
    {
        assertEquals("", ZeroCopyDefect.of("igb", modules));
        assertEquals("", ZeroCopyDefect.of("", modules));
    }
}
