package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.HeaderProbe;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NetworkDeviceTest
{
    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void shouldReadTheLoopback()
    {
        Require.that(new File("/proc/self/ns/net").exists(), "needs Linux");
        final NetworkDevice device = NetworkDevice.read("lo");

        assertEquals("lo", device.name());
        assertEquals(1, device.index());
        assertFalse(device.ethernet());
        assertEquals(0, device.macAddress());
        assertTrue(device.mtu() >= 1500);
        assertEquals(NetworkDevice.UNKNOWN, device.rxQueues());
    }

    @Test
    void shouldFindNothingWhereThereIsNothing()
    {
        assertNull(NetworkDevice.read("fibnuma-none"));
    }

    @Test
    void shouldTellNamesFromOtherText()
    {
        assertTrue(NetworkDevice.isName("enp3s0f1np1"));
        assertTrue(NetworkDevice.isName("eth0.100"));
        assertFalse(NetworkDevice.isName(""));
        assertFalse(NetworkDevice.isName("sixteen-letters-"));
        assertFalse(NetworkDevice.isName("a/b"));
        assertFalse(NetworkDevice.isName("a b"));
    }

    @Test
    void shouldAskForFeaturesThatTheLoopbackHasNot()
    {
        try (XdpFeatures features = new XdpFeatures(1))
        {
            assertFalse(features.sendsRedirected());
        }
    }

    @Test
    void shouldAgreeWithTheHeaders(@TempDir final Path directory) throws IOException
    {
        number("SIOCGIFFLAGS", IfreqLayout.SIOCGIFFLAGS);
        number("SIOCSIFFLAGS", IfreqLayout.SIOCSIFFLAGS);
        number("SIOCSIFADDR", IfreqLayout.SIOCSIFADDR);
        number("SIOCSIFNETMASK", IfreqLayout.SIOCSIFNETMASK);
        number("SIOCGIFMTU", IfreqLayout.SIOCGIFMTU);
        number("SIOCGIFHWADDR", IfreqLayout.SIOCGIFHWADDR);
        number("SIOCGIFINDEX", IfreqLayout.SIOCGIFINDEX);
        number("SIOCETHTOOL", IfreqLayout.SIOCETHTOOL);
        number("IFF_UP", IfreqLayout.IFF_UP);
        number("ARPHRD_ETHER", IfreqLayout.ARPHRD_ETHER);
        number("ETHTOOL_GCHANNELS", IfreqLayout.ETHTOOL_GCHANNELS);
        number("ETHTOOL_GDRVINFO", IfreqLayout.ETHTOOL_GDRVINFO);
        number("IFNAMSIZ", IfreqLayout.NAME_SIZE);
        number("sizeof(struct ifreq)", IfreqLayout.SIZE);
        number("sizeof(struct ethtool_channels)", IfreqLayout.CHANNELS_SIZE);
        number("sizeof(struct ethtool_drvinfo)", IfreqLayout.DRIVER_INFORMATION_SIZE);
        number(HeaderProbe.offset("struct ifreq", "ifr_mtu"), IfreqLayout.VALUE_OFFSET);
        number(HeaderProbe.offset("struct ifreq", "ifr_hwaddr.sa_data"), IfreqLayout.HARDWARE_ADDRESS_OFFSET);
        number("offsetof(struct ifreq, ifr_addr) + offsetof(struct sockaddr_in, sin_addr)",
            IfreqLayout.INTERNET_ADDRESS_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "rx_count"), IfreqLayout.RX_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "tx_count"), IfreqLayout.TX_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "combined_count"), IfreqLayout.COMBINED_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_drvinfo", "driver"), IfreqLayout.DRIVER_OFFSET);
        HeaderProbe.check(directory, List.of(
            "net/if.h", "net/if_arp.h", "netinet/in.h", "linux/sockios.h", "linux/ethtool.h"), expected);
    }

    private void number(final String expression, final int value)
    {
        expected.put(expression, (long)value);
    }
}
