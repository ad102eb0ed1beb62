package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Beside ethtool, on a veth. */
class EthtoolValuesSystemTest
{
    private VethPair veth;
    private EthtoolValues values;
    private int index;

    @BeforeEach
    void open() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        veth = new VethPair(2);
        values = NetworkNamespace.call(VethPair.namespace(NEAR), EthtoolValues::new);
        index = NetworkNamespace.call(VethPair.namespace(NEAR), () -> LibC.get().if_nametoindex(NEAR));
    }

    @AfterEach
    void close()
    {
        if (values != null)
        {
            values.close();
        }
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldReadEveryFeatureAsEthtoolDoes() throws IOException
    {
        // The features without indentation of other than groups; ethtool gives some groups names of its own.
        final Matcher lines = Pattern.compile("(?m)^\\t?((?:tx|rx)-[a-z0-9-]+): (on|off)").matcher(
            VethPair.in(NEAR, "ethtool", "-k", NEAR));
        int seen = 0;
        while (lines.find())
        {
            if (lines.group(1).matches("[rt]x-(checksumming|vlan-offload)"))
            {
                continue;
            }
            assertEquals(lines.group(2), values.read(NEAR, index, EthtoolValues.PREFIX + lines.group(1)),
                lines.group(1));
            seen++;
        }
        assertTrue(seen > 20, seen + " features");
    }

    @Test
    void shouldSetAFeatureAndSayWhichIsFixed() throws IOException
    {
        values.write(NEAR, EthtoolValues.PREFIX + "rx-vlan-hw-parse", EthtoolValues.OFF);
        assertTrue(VethPair.in(NEAR, "ethtool", "-k", NEAR).contains("rx-vlan-offload: off"));
        values.write(NEAR, EthtoolValues.PREFIX + "rx-vlan-hw-parse", EthtoolValues.ON);
        assertTrue(VethPair.in(NEAR, "ethtool", "-k", NEAR).contains("rx-vlan-offload: on"));

        assertEquals("rx-gro-hw of near is fixed", assertThrows(IOException.class,
            () -> values.write(NEAR, EthtoolValues.PREFIX + "rx-gro-hw", EthtoolValues.ON)).getMessage());
        assertEquals("this kernel has no feature rx-unheard-of", assertThrows(IOException.class,
            () -> values.read(NEAR, index, EthtoolValues.PREFIX + "rx-unheard-of")).getMessage());
    }

    @Test
    void shouldReadAndSetTheNumbersOfChannels() throws IOException
    {
        assertEquals("rx 2 tx 2 other 0 combined 0", values.read(NEAR, index, EthtoolValues.CHANNELS));
        values.write(NEAR, EthtoolValues.CHANNELS, "rx 1 tx 1 other 0 combined 0");
        assertTrue(Pattern.compile("Current hardware settings:\\s+RX:\\s+1\\s+TX:\\s+1\\s").matcher(
            VethPair.in(NEAR, "ethtool", "-l", NEAR)).find());
        assertThrows(IOException.class,
            () -> values.write(NEAR, EthtoolValues.CHANNELS, "rx 3 tx 3 other 0 combined 0"));
        assertThrows(IOException.class, () -> values.write(NEAR, EthtoolValues.CHANNELS, "2"));
    }

    @Test
    void shouldFindNoOtherInterfaceOfTheName() throws IOException
    {
        assertNull(values.read(NEAR, index + 1, EthtoolValues.CHANNELS));
        assertNull(values.read("no-such", index, EthtoolValues.CHANNELS));
    }
}
