// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The providers on the class path. */
final class Providers {
    private Providers() {}

    /** Returns the driver's part of GET_CONTEXT. Without a provider, the context cannot create queues. */
    static Creation<ByteBuffer, DriverContext> context(ProviderDevice open) {
        RdmaDevice device = open.device();
        Optional<Provider> provider = find(device);
        return provider.filter(found -> speaks(found, device)).isPresent()
                ? provider.get().context(open)
                : QueuelessDriver.context(device, provider.map(Providers::abis).orElse("there is no provider for it"));
    }

    private static Optional<Provider> find(RdmaDevice device) {
        return Installed.PROVIDERS.stream()
                .filter(provider -> provider.driverId() == device.driverId())
                .findFirst();
    }

    private static boolean speaks(Provider provider, RdmaDevice device) {
        int abi = device.driverAbi();
        return abi >= provider.oldestDriverAbi() && abi <= provider.newestDriverAbi();
    }

    private static String abis(Provider provider) {
        return "its provider supports ABI " + provider.oldestDriverAbi() + " to " + provider.newestDriverAbi();
    }

    /** Returns true if programs can use queues of the device. */
    static boolean hasDataPath(RdmaDevice device) {
        return find(device).filter(provider -> speaks(provider, device)).isPresent();
    }

    private static final class Installed {
        static final List<Provider> PROVIDERS =
                ServiceLoader.load(Provider.class, Providers.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }
}
