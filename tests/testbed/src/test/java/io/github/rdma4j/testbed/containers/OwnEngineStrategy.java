// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import java.io.IOException;
import java.net.URI;
import org.testcontainers.dockerclient.DockerClientProviderStrategy;
import org.testcontainers.dockerclient.InvalidConfigurationException;
import org.testcontainers.dockerclient.TransportConfig;

/** How Testcontainers comes to {@link OwnEngine}: last, where no other engine answers. */
public final class OwnEngineStrategy extends DockerClientProviderStrategy {
    /** A variable with the address of the engine of another JVM of the tests. */
    static final String OF_ANOTHER_JVM = "RDMA4J_TESTS_ENGINE";

    @Override
    public String getDescription() {
        return "an engine of the tests' own, from unpacked packages";
    }

    @Override
    protected boolean isApplicable() {
        return System.getenv(OF_ANOTHER_JVM) != null || OwnEngine.obstacle().isEmpty();
    }

    @Override
    protected int getPriority() {
        return -1;
    }

    // Asked of the bridge otherwise, which the engine has not.
    @Override
    public String getDockerHostIpAddress() {
        return "localhost";
    }

    @Override
    public TransportConfig getTransportConfig() throws InvalidConfigurationException {
        String other = System.getenv(OF_ANOTHER_JVM);
        try {
            return TransportConfig.builder()
                    .dockerHost(other == null ? OwnEngine.get().address() : URI.create(other))
                    .build();
        } catch (IOException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }
}
