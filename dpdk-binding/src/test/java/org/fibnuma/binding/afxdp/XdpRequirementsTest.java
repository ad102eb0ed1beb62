package org.fibnuma.binding.afxdp;

import org.fibnuma.core.UserException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class XdpRequirementsTest
{
    private final XdpFailure failure =
        new XdpFailure(new PortRequest("p", "eth0", 0, List.of(), PortSettings.DEFAULT));

    @Test
    void shouldTakeLinuxFrom59On()
    {
        XdpRequirements.checkKernel("Linux", "5.9.0", failure);
        XdpRequirements.checkKernel("Linux", "5.10.0-8-amd64", failure);
        XdpRequirements.checkKernel("Linux", "6.1.0", failure);
        XdpRequirements.checkKernel("Linux", "10.0", failure);
    }

    @Test
    void shouldRefuseOlderKernelsAndOtherSystems()
    {
        assertRefused("needs Linux 5.9 or later; this is 5.8.18", "Linux", "5.8.18");
        assertRefused("needs Linux 5.9 or later; this is 4.19.0", "Linux", "4.19.0");
        assertRefused("AF_XDP needs Linux; this is Mac OS X 13.1", "Mac OS X", "13.1");
    }

    private void assertRefused(final String message, final String system, final String version)
    {
        assertEquals("port p (xdp:eth0): " + message, assertThrows(
            UserException.class, () -> XdpRequirements.checkKernel(system, version, failure)).getMessage());
    }
}
