package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

/** A fault port without faults behaves as the port behind it. */
class FaultPortTest extends PortContract
{
    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
    {
        return new Port[]{
            Ports.open(new PortRequest(
                "near", "fault:loss=0,dup=0,reorder=0,corrupt=0,seed=7/mem:fault-contract", NEAR_INDEX,
                List.of(nearPool), settings)),
            Ports.open(new PortRequest(
                "far", "fault:/mem:fault-contract@far", FAR_INDEX, List.of(farPool), settings))};
    }
}
