// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.AgentOptions.Rmpp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The MADs of subnet administration of a port of this host, through the kernel: {@code /dev/infiniband/umad*}. Safe for
 * use by several threads; whoever opened it closes it.
 */
public final class UmadPort implements MadTransport {
    /** The method by which subnet administration reports. */
    private static final int REPORT = 6;

    private final PortFiles files;
    private final UmadDevice device;
    private final Options options;
    private final UmadAgent agent;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable UmadAgent reports;

    /**
     * How a port is used.
     *
     * @param layout which header MADs have
     * @param rmpp who puts long answers together
     */
    public record Options(HeaderLayout layout, Rmpp rmpp) {
        /** The header of 64 bytes; the kernel puts answers together. */
        public static Options defaults() {
            return new Options(HeaderLayout.WITH_PKEY_INDEX, Rmpp.KERNEL);
        }
    }

    private UmadPort(PortFiles files, UmadDevice device, Options options, UmadAgent agent) {
        this.files = files;
        this.device = device;
        this.options = options;
        this.agent = agent;
    }

    /** Opens a port of a device, for example port 1 of {@code mlx5_0}, with the default options. */
    public static UmadPort open(String device, int port) throws RdmaException {
        return open(Kernel.running(), device, port, Options.defaults());
    }

    /**
     * Opens a port.
     *
     * @param device the device, for example {@code mlx5_0}
     * @param port the number of the port, from 1
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException when there is no umad node for it
     */
    public static UmadPort open(Kernel kernel, String device, int port, Options options) throws RdmaException {
        PortFiles files = new PortFiles(kernel, device, port);
        UmadDevice umad = UmadDevice.open(kernel, files.umadName(), options.layout());
        boolean open = false;
        try {
            UmadAgent agent = umad.register(AgentOptions.subnetAdministration(options.rmpp()));
            open = true;
            return new UmadPort(files, umad, options, agent);
        } finally {
            if (!open) {
                umad.close();
            }
        }
    }

    @Override
    public LocalPort port() throws RdmaException {
        return files.read();
    }

    @Override
    public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
        device.send(agent, to, mad, timeout, retries);
    }

    @Override
    public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException {
        return device.receive(timeout, maxBytes);
    }

    @Override
    public boolean reassembles() {
        return options.rmpp() != Rmpp.USER;
    }

    @Override
    public void listenForReports() throws RdmaException {
        lock.lock();
        try {
            if (reports == null) {
                reports = device.register(
                        AgentOptions.subnetAdministration(options.rmpp()).withMethod(REPORT));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        device.close();
    }

    @Override
    public String toString() {
        return "UmadPort[" + files + ", " + device + "]";
    }
}
