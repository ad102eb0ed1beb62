package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

/** A fault port that delays received frames keeps their order. */
class LateFaultPortTest extends PortContract
{
    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
    {
        return new Port[]{
            Ports.open(new PortRequest(
                "near", "fault:delay-us=20,on=rx/mem:late-contract", NEAR_INDEX, List.of(nearPool), settings)),
            Ports.open(new PortRequest(
                "far", "fault:delay-us=5,on=rx/mem:late-contract@far", FAR_INDEX, List.of(farPool), settings))};
    }
}
