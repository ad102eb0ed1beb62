package org.fibnuma.core.port.shm;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

class ShmPortTest extends PortContract
{
    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
    {
        final String link = "shm:contract-" + ProcessHandle.current().pid();
        return new Port[]{
            Ports.open(new PortRequest("near", link, NEAR_INDEX, List.of(nearPool), settings)),
            Ports.open(new PortRequest("far", link + "@far", FAR_INDEX, List.of(farPool), settings))};
    }
}
