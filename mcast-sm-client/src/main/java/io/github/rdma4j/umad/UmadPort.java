// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.umad.AgentOptions.Rmpp;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The transport of the kernel, {@code /dev/infiniband/umad*}, for the subnet administration MADs of a port of this
 * host. Safe for use by several threads.
 */
public final class UmadPort implements MadTransport {
    private final RdmaPort port;
    private final UmadDevice device;
    private final Options options;
    private final UmadDevice.Agent agent;
    private final ReentrantLock lock = new ReentrantLock();
    private UmadDevice.@Nullable Agent reports;

    /** The options of a port. Immutable. */
    public static final class Options {
        /** The header with 64 bytes; the kernel reassembles long answers. */
        public static final Options DEFAULT = builder().build();

        private final HeaderLayout layout;
        private final Rmpp rmpp;

        private Options(Builder builder) {
            layout = builder.layout;
            rmpp = builder.rmpp;
        }

        /** Returns a builder in which every option has its default. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with these options. */
        public Builder toBuilder() {
            return new Builder().layout(layout).rmpp(rmpp);
        }

        /** The header of the MADs. */
        public HeaderLayout layout() {
            return layout;
        }

        /** The place where long answers are reassembled. */
        public Rmpp rmpp() {
            return rmpp;
        }

        /** Collects options. Mutable; for one thread. */
        public static final class Builder {
            private HeaderLayout layout = HeaderLayout.WITH_PKEY_INDEX;
            private Rmpp rmpp = Rmpp.KERNEL;

            private Builder() {}

            /** The header of the MADs; {@link HeaderLayout#WITH_PKEY_INDEX} unless set. */
            public Builder layout(HeaderLayout value) {
                layout = Objects.requireNonNull(value, "layout");
                return this;
            }

            /** The place where long answers are reassembled; {@link Rmpp#KERNEL} unless set. */
            public Builder rmpp(Rmpp value) {
                rmpp = Objects.requireNonNull(value, "rmpp");
                return this;
            }

            /** Returns the options. */
            public Options build() {
                return new Options(this);
            }
        }
    }

    private UmadPort(RdmaPort port, UmadDevice device, Options options, UmadDevice.Agent agent) {
        this.port = port;
        this.device = device;
        this.options = options;
        this.agent = agent;
    }

    /** Opens a port of a device, for example port 1 of {@code mlx5_0}, with the default options. */
    public static UmadPort open(String device, int port) throws RdmaException {
        return open(Kernel.running(), device, port, Options.DEFAULT);
    }

    /**
     * Opens a port.
     *
     * @param device the device, for example {@code mlx5_0}
     * @param port the number of the port, from 1
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException when the port has no umad node
     */
    public static UmadPort open(Kernel kernel, String device, int port, Options options) throws RdmaException {
        RdmaPort files = RdmaPort.of(kernel, device, port);
        UmadDevice umad = UmadDevice.open(kernel, umadName(kernel, files), options.layout());
        return Undo.onFailure(
                () -> new UmadPort(
                        files, umad, options, umad.register(agent(options).build())),
                umad::close);
    }

    /** The name of the port's umad node. */
    private static String umadName(Kernel kernel, RdmaPort port) throws RdmaException {
        Path umads = new Sysfs(kernel).path("class", "infiniband_mad");
        for (String name : Sysfs.names(umads)) {
            Path umad = umads.resolve(name);
            if (name.startsWith("umad")
                    && Sysfs.read(umad.resolve("ibdev"))
                            .filter(port.device()::equals)
                            .isPresent()
                    && Sysfs.number(umad.resolve("port"))
                            .filter(number -> number == port.number())
                            .isPresent()) {
                return name;
            }
        }
        throw new UnsupportedByKernelException(
                port + " has no umad node. Load the module that creates it: modprobe ib_umad");
    }

    private static AgentOptions.Builder agent(Options options) {
        return AgentOptions.SUBNET_ADMINISTRATION.toBuilder().rmpp(options.rmpp());
    }

    @Override
    public LocalPort port() throws RdmaException {
        int state = port.rawState()
                .orElseThrow(() -> new UnsupportedByKernelException("there is no " + port + ": "
                        + port.directory().resolve("state") + ". ls /sys/class/infiniband shows the devices"));
        LinkLayer linkLayer = port.linkLayer();
        return new LocalPort(
                port.device(),
                port.number(),
                state,
                linkLayer == LinkLayer.UNSPECIFIED ? LinkLayer.UNKNOWN : linkLayer,
                port.value("lid"),
                port.value("lid_mask_count"),
                port.value("sm_lid"),
                port.value("sm_sl"),
                port.gid(0),
                port.pkeys());
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
                reports =
                        device.register(agent(options).method(SaMethods.REPORT).build());
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
        return "UmadPort[" + port + ", " + device + "]";
    }
}
