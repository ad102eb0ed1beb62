package org.fibnuma.ipnuma.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;

/** A channel of this package as its handler uses it. After the only event, an operation may succeed. */
interface IpnumaIoHandle extends IoHandle
{
    /** The channel is connected, has data or room, has ended or failed, or has a connection to accept. */
    IoEvent READY = new IoEvent()
    {
        @Override
        public String toString()
        {
            return "READY";
        }
    };

    @Override
    void close();
}
