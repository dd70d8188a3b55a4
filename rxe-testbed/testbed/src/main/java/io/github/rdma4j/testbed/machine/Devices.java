// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.image.BuiltModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The RDMA devices of a guest. */
public enum Devices {
    /** {@code rxe0} on {@code veth0}, 10.77.0.1/24 and fd77::1/64, with {@code rdma_ucm} and {@code ib_umad}. */
    RXE(null, "rxe"),
    /** {@code siw0}, iWARP in software, on {@code veth0} with the same addresses. Its module is built for the guest. */
    SIW(BuiltModule.SIW, "siw"),
    /**
     * {@code vmw_pvrdma0}, QEMU's RDMA device, beside {@code eth0} with the same addresses. Its module is built for the
     * guest, and QEMU gets a {@code PvrdmaBackend}.
     */
    PVRDMA(BuiltModule.VMW_PVRDMA, ""),
    /**
     * {@code softib0}, InfiniBand in software, under {@code ib0} with the same addresses. A subnet manager runs on one
     * node, or on none. Its module is built for the guest.
     */
    IB(BuiltModule.SOFTIB, "softib"),
    /** No device and no RDMA module: a machine without RDMA. */
    NONE(null, "");

    private final @Nullable BuiltModule module;
    private final String linkType;

    Devices(@Nullable BuiltModule module, String linkType) {
        this.module = module;
        this.linkType = linkType;
    }

    /** The module that the kernel's package lacks. */
    public @Nullable BuiltModule module() {
        return module;
    }

    /** The type for {@code rdma link add}; empty for a device that the command cannot make. */
    public String linkType() {
        return linkType;
    }

    /**
     * The files of a guest's RDMA device that are not in the kernel's package.
     *
     * @param module the device's module, which the guest loads
     * @param backend the library to preload into QEMU, see {@code PvrdmaBackend}
     * @param manager the directory of the unpacked subnet manager
     */
    public record Files(
            @Nullable Path module,
            @Nullable Path backend,
            @Nullable Path manager) {
        /** No file: the kernel's package has everything. */
        public static final Files NONE = new Files(null, null, null);

        /** The files that are not null. */
        public List<Path> present() {
            return Stream.of(module, backend, manager).filter(Objects::nonNull).toList();
        }

        /** The words of the kernel's command line from which the guest knows its files. */
        public List<String> kernelArguments() {
            return Stream.of(argument("module", module), argument("opensm", manager))
                    .flatMap(Optional::stream)
                    .toList();
        }

        /** A command line cannot hold a space. */
        private static Optional<String> argument(String name, @Nullable Path file) {
            return Optional.ofNullable(file)
                    .map(path -> "rdma4j." + name + "="
                            + path.toString().replace("%", "%25").replace(" ", "%20"));
        }
    }
}
