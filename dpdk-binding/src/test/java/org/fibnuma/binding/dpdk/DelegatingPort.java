package org.fibnuma.binding.dpdk;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

    /** A port that does all that another one does, for tests to change one thing. */
class DelegatingPort implements Port
    {
        private final Port port;

        DelegatingPort(final Port port)
        {
            this.port = port;
        }

        @Override
        public String name()
        {
            return port.name();
        }

        @Override
        public String device()
        {
            return port.device();
        }

        @Override
        public String mode()
        {
            return port.mode();
        }

        @Override
        public int interfaceIndex()
        {
            return port.interfaceIndex();
        }

        @Override
        public long macAddress()
        {
            return port.macAddress();
        }

        @Override
        public int mtu()
        {
            return port.mtu();
        }

        @Override
        public int queueCount()
        {
            return port.queueCount();
        }

        @Override
        public RxQueue rxQueue(final int queue)
        {
            return port.rxQueue(queue);
        }

        @Override
        public TxQueue txQueue(final int queue)
        {
            return port.txQueue(queue);
        }

        @Override
        public void start()
        {
            port.start();
        }

        @Override
        public void localAddress(final int address, final boolean local)
        {
            port.localAddress(address, local);
        }

        @Override
        public long deviceCounter(final PortCounter counter)
        {
            return port.deviceCounter(counter);
        }

        @Override
        public void close()
        {
            port.close();
        }
    }
