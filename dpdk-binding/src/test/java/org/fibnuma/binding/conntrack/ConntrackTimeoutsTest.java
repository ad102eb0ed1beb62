package org.fibnuma.binding.conntrack;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ConntrackTimeoutsTest
{
    @TempDir
    private Path settings;

    @Test
    void shouldReadTheSettingsOfBothProtocols() throws IOException
    {
        write("nf_conntrack_tcp_timeout_established", "432000\n");
        write("nf_conntrack_udp_timeout_stream", "120\n");
        write("nf_flowtable_tcp_timeout", "31\n");
        write("nf_flowtable_udp_timeout", "30\n");
        final ConntrackTimeouts timeouts = ConntrackTimeouts.read(settings);
        assertEquals(432_000, timeouts.established(IpProtocol.TCP));
        assertEquals(120, timeouts.established(IpProtocol.UDP));
        assertEquals(31, timeouts.flowtable(IpProtocol.TCP));
        assertEquals(30, timeouts.flowtable(IpProtocol.UDP));
    }

    @Test
    void shouldHaveNoTimeoutsOfAKernelWithoutFlowtables() throws IOException
    {
        write("nf_conntrack_tcp_timeout_established", "432000\n");
        write("nf_conntrack_udp_timeout_stream", "120\n");
        assertEquals(new ConntrackTimeouts(432_000, 120, 0, 0), ConntrackTimeouts.read(settings));
        write("nf_flowtable_udp_timeout", "?\n");
        assertThrows(UserException.class, () -> ConntrackTimeouts.read(settings));
    }

    private void write(final String setting, final String value) throws IOException
    {
        Files.writeString(settings.resolve(setting), value);
    }
}
