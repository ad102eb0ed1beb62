package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks the requests to a device with a stand-in for DPDK that records its arguments, at offsets of its headers. */
class DeviceFlowControlTest
{
    private static final int NOT_SUPPORTED = -95;
    private static final int DRIVERS_HIGH_WATER = 40_000;
    private static final int DRIVERS_LOW_WATER = 20_000;
    private static final int PORT = 3;
    private static final String CONF = ": high 40000 low 20000 pause 65535 xon 1 mode 3 autoneg 1 priority ";

    private final List<String> asked = new ArrayList<>();
    private int answer;

    @Test
    void shouldAskForEachPriorityWithTheMarksOfTheDriver()
    {
        assertEquals(0, DeviceFlowControl.configure(library(), PORT, 1 << 3 | 1 << 5));
        assertEquals(List.of(
            "priority_flow_ctrl_set port 3" + CONF + "3",
            "priority_flow_ctrl_set port 3" + CONF + "5"), asked);
    }

    @Test
    void shouldAskForTheWholeLink()
    {
        assertEquals(0, DeviceFlowControl.configure(library(), PORT, 0));
        assertEquals(List.of("flow_ctrl_set port 3" + CONF + "0"), asked);
    }

    @Test
    void shouldStopAtTheFirstRefusal()
    {
        answer = NOT_SUPPORTED;
        assertEquals(NOT_SUPPORTED, DeviceFlowControl.configure(library(), PORT, 1 << 3 | 1 << 5));
        assertEquals(1, asked.size());
    }

    /** By the kernel's numbers: 5 EIO, 11 EAGAIN, 16 EBUSY, 110 ETIMEDOUT; 95 ENOTSUP, 22 EINVAL, 19 ENODEV. */
    @Test
    void shouldTellADeviceThatIsBusyWithItsLinkFromOneThatCannot()
    {
        for (final int busy : new int[]{-5, -11, -16, -110})
        {
            assertTrue(DeviceFlowControl.isTransient(busy), () -> "error " + busy);
        }
        for (final int settled : new int[]{0, NOT_SUPPORTED, -22, -19})
        {
            assertFalse(DeviceFlowControl.isTransient(settled), () -> "error " + settled);
        }
    }

    private EthdevLibrary library()
    {
        return (EthdevLibrary)Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{EthdevLibrary.class}, (proxy, method, arguments) ->
            {
                final String name = method.getName().replace("rte_eth_dev_", "");
                final long conf = (long)arguments[1];
                if ("flow_ctrl_get".equals(name))
                {
                    UnsafeApi.putInt(conf, DRIVERS_HIGH_WATER);
                    UnsafeApi.putInt(conf + 4, DRIVERS_LOW_WATER);
                    UnsafeApi.putByte(conf + 17, (byte)1);
                    return 0;
                }
                asked.add(name + " port " + arguments[0] + ": high " + UnsafeApi.getInt(conf) +
                    " low " + UnsafeApi.getInt(conf + 4) + " pause " + (UnsafeApi.getShort(conf + 8) & 0xFFFF) +
                    " xon " + UnsafeApi.getShort(conf + 10) + " mode " + UnsafeApi.getInt(conf + 12) +
                    " autoneg " + UnsafeApi.getByte(conf + 17) + " priority " + UnsafeApi.getByte(conf + 20));
                return answer;
            });
    }
}
