package org.fibnuma.core.port.memory;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

class MemoryPortTest extends PortContract
{
    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
    {
        return new Port[]{
            Ports.open(new PortRequest("near", "mem:contract", NEAR_INDEX, List.of(nearPool), settings)),
            Ports.open(new PortRequest("far", "mem:contract@far", FAR_INDEX, List.of(farPool), settings))};
    }
}
