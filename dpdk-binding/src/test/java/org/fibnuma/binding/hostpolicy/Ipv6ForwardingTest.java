package org.fibnuma.binding.hostpolicy;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6ForwardingTest
{
    @TempDir
    private Path settings;

    /** What Linux 6.18 does; the setting {@code forwarding} of the interface does not count. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, false", "0, 1, 0, 0, false", "1, 1, 0, 0, true", "1, 0, 0, 0, true", "2, 0, 0, 0, true",
        "0, 0, 1, 0, true", "1, 1, 1, 1, false"})
    void shouldDecideAsTheKernelDoes(final String all, final String ofInterface, final String forced,
        final String disabled, final boolean expected) throws IOException
    {
        set("all", "forwarding", all);
        set("r0", "forwarding", ofInterface);
        set("r0", "force_forwarding", forced);
        set("r0", "disable_ipv6", disabled);
        assertEquals(expected, new Ipv6Forwarding(settings).isOn("r0"));
    }

    @Test
    void shouldDoWithoutSettingsOfNewerKernels() throws IOException
    {
        set("all", "forwarding", "1");
        set("r0", "disable_ipv6", "0");
        assertTrue(new Ipv6Forwarding(settings).isOn("r0"));
        set("all", "forwarding", "0");
        assertFalse(new Ipv6Forwarding(settings).isOn("r0"));
    }

    @Test
    void shouldBeOffForInterfacesAndKernelsWithoutIpv6() throws IOException
    {
        assertFalse(new Ipv6Forwarding(settings).isOn("r0"));
        set("all", "forwarding", "1");
        assertFalse(new Ipv6Forwarding(settings).isOn("r0"));
    }

    @Test
    void shouldNameAFileThatCannotBeRead() throws IOException
    {
        Files.createDirectories(settings.resolve("r0/disable_ipv6"));
        final String message =
            assertThrows(UserException.class, () -> new Ipv6Forwarding(settings).isOn("r0")).getMessage();
        assertTrue(message.startsWith("cannot read " + settings.resolve("r0/disable_ipv6") + ": "), message);
        assertEquals(1, message.lines().count());
    }

    private void set(final String interfaceName, final String setting, final String value) throws IOException
    {
        Files.writeString(Files.createDirectories(settings.resolve(interfaceName)).resolve(setting), value + "\n");
    }
}
