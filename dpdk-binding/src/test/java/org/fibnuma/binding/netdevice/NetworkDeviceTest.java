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
        number("SIOCGIFNAME", IfreqLayout.SIOCGIFNAME);
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
        number("ETHTOOL_GCHANNELS", EthtoolLayout.ETHTOOL_GCHANNELS);
        number("ETHTOOL_GDRVINFO", EthtoolLayout.ETHTOOL_GDRVINFO);
        number("IFNAMSIZ", IfreqLayout.NAME_SIZE);
        number("sizeof(struct ifreq)", IfreqLayout.SIZE);
        number("sizeof(struct ethtool_channels)", EthtoolLayout.CHANNELS_SIZE);
        number("sizeof(struct ethtool_drvinfo)", EthtoolLayout.DRIVER_INFORMATION_SIZE);
        number(HeaderProbe.offset("struct ifreq", "ifr_mtu"), IfreqLayout.VALUE_OFFSET);
        number(HeaderProbe.offset("struct ifreq", "ifr_hwaddr.sa_data"), IfreqLayout.HARDWARE_ADDRESS_OFFSET);
        number("offsetof(struct ifreq, ifr_addr) + offsetof(struct sockaddr_in, sin_addr)",
            IfreqLayout.INTERNET_ADDRESS_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "rx_count"), EthtoolLayout.RX_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "tx_count"), EthtoolLayout.TX_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "combined_count"), EthtoolLayout.COMBINED_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_drvinfo", "driver"), EthtoolLayout.DRIVER_OFFSET);
        number("ETHTOOL_SCHANNELS", EthtoolLayout.ETHTOOL_SCHANNELS);
        number(HeaderProbe.offset("struct ethtool_channels", "other_count"), EthtoolLayout.OTHER_COUNT_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "max_rx"), EthtoolLayout.MAX_RX_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "max_tx"), EthtoolLayout.MAX_TX_OFFSET);
        number(HeaderProbe.offset("struct ethtool_channels", "max_combined"), EthtoolLayout.MAX_COMBINED_OFFSET);
        number("ETHTOOL_MSG_FEATURES_NTF", GenericNetlinkLayout.ETHTOOL_MSG_FEATURES_NTF);
        number("ETHTOOL_MSG_CHANNELS_NTF", GenericNetlinkLayout.ETHTOOL_MSG_CHANNELS_NTF);
        number("ETHTOOL_A_FEATURES_HEADER", GenericNetlinkLayout.ETHTOOL_A_HEADER);
        number("ETHTOOL_A_CHANNELS_HEADER", GenericNetlinkLayout.ETHTOOL_A_HEADER);
        number("ETHTOOL_A_HEADER_DEV_INDEX", GenericNetlinkLayout.ETHTOOL_A_HEADER_DEV_INDEX);
        number("CTRL_ATTR_MCAST_GROUPS", GenericNetlinkLayout.CTRL_ATTR_MCAST_GROUPS);
        number("CTRL_ATTR_MCAST_GRP_NAME", GenericNetlinkLayout.CTRL_ATTR_MCAST_GRP_NAME);
        number("CTRL_ATTR_MCAST_GRP_ID", GenericNetlinkLayout.CTRL_ATTR_MCAST_GRP_ID);
        number("ETH_SS_FEATURES", EthtoolLayout.ETH_SS_FEATURES);
        number("ETH_GSTRING_LEN", EthtoolLayout.ETH_GSTRING_LEN);
        number("ETHTOOL_GSSET_INFO", EthtoolLayout.ETHTOOL_GSSET_INFO);
        number(HeaderProbe.offset("struct ethtool_sset_info", "sset_mask"), EthtoolLayout.SET_MASK_OFFSET);
        number(HeaderProbe.offset("struct ethtool_sset_info", "data"), EthtoolLayout.SET_LENGTHS_OFFSET);
        number("ETHTOOL_GSTRINGS", EthtoolLayout.ETHTOOL_GSTRINGS);
        number(HeaderProbe.offset("struct ethtool_gstrings", "string_set"), EthtoolLayout.STRING_SET_OFFSET);
        number(HeaderProbe.offset("struct ethtool_gstrings", "len"), EthtoolLayout.STRINGS_LENGTH_OFFSET);
        number(HeaderProbe.offset("struct ethtool_gstrings", "data"), EthtoolLayout.STRINGS_OFFSET);
        number("ETHTOOL_GFEATURES", EthtoolLayout.ETHTOOL_GFEATURES);
        number("ETHTOOL_SFEATURES", EthtoolLayout.ETHTOOL_SFEATURES);
        number(HeaderProbe.offset("struct ethtool_gfeatures", "size"), EthtoolLayout.FEATURE_BLOCKS_OFFSET);
        number(HeaderProbe.offset("struct ethtool_gfeatures", "features"), EthtoolLayout.FEATURES_OFFSET);
        number(HeaderProbe.offset("struct ethtool_sfeatures", "features"), EthtoolLayout.FEATURES_OFFSET);
        number("sizeof(struct ethtool_get_features_block)", EthtoolLayout.GET_BLOCK_SIZE);
        number(HeaderProbe.offset("struct ethtool_get_features_block", "active"), EthtoolLayout.ACTIVE_OFFSET);
        number("sizeof(struct ethtool_set_features_block)", EthtoolLayout.SET_BLOCK_SIZE);
        number(HeaderProbe.offset("struct ethtool_set_features_block", "requested"),
            EthtoolLayout.REQUESTED_OFFSET);
        HeaderProbe.check(directory, List.of(
            "net/if.h", "net/if_arp.h", "netinet/in.h", "linux/sockios.h", "linux/ethtool.h",
            "linux/genetlink.h", "linux/ethtool_netlink.h"), expected);
    }

    private void number(final String expression, final int value)
    {
        expected.put(expression, (long)value);
    }
}
