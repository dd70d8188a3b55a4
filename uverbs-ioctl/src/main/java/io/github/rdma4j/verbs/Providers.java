// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.provider.Provider;
import java.util.List;
import java.util.ServiceLoader;

/** The providers on the class path. */
public final class Providers {
    private Providers() {}

    /** The provider of the device's driver. */
    static Provider require(RdmaDevice device) throws UnsupportedDriverException {
        for (Provider provider : Installed.PROVIDERS) {
            if (provider.driverId() == device.driverId()) {
                return requireAbi(provider, device);
            }
        }
        throw new UnsupportedDriverException(device, "there is no provider for it");
    }

    private static Provider requireAbi(Provider provider, RdmaDevice device) throws UnsupportedDriverException {
        int abi = device.driverAbi();
        if (abi < provider.oldestDriverAbi() || abi > provider.newestDriverAbi()) {
            throw new UnsupportedDriverException(
                    device,
                    "its provider speaks ABI " + provider.oldestDriverAbi() + " to " + provider.newestDriverAbi());
        }
        return provider;
    }

    /** True when queues of the device can be used. */
    public static boolean hasDataPath(RdmaDevice device) {
        try {
            require(device);
            return true;
        } catch (UnsupportedDriverException e) {
            return false;
        }
    }

    private static final class Installed {
        static final List<Provider> PROVIDERS =
                ServiceLoader.load(Provider.class, Providers.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }
}
