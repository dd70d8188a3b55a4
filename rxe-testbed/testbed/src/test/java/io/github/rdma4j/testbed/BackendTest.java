// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendTest {
    private static Properties property(String value) {
        Properties properties = new Properties();
        properties.setProperty(Backend.PROPERTY, value);
        return properties;
    }

    @Test
    void propertyComesBeforeVariable() throws Exception {
        Map<String, String> environment = Map.of(Backend.VARIABLE, "host");
        assertThat(Backend.configured(property("uml"), environment)).contains(Backend.UML);
        assertThat(Backend.configured(new Properties(), environment)).contains(Backend.HOST);
        assertThat(Backend.configured(property(""), Map.of(Backend.VARIABLE, "")))
                .isEmpty();
    }

    @Test
    void whatIsNoBackendIsRefusedWithItsSourceAndTheKnownNames() {
        assertThatThrownBy(() -> Backend.configured(property("qemu"), Map.of()))
                .hasMessage("the system property rdma4j.testbed is one of host, uml, vm, not qemu");
        assertThatThrownBy(() -> Backend.configured(new Properties(), Map.of(Backend.VARIABLE, "VM")))
                .hasMessage("RDMA4J_TESTBED is one of host, uml, vm, not VM");
    }

    @Test
    void userModeLinuxIsTakenWhereItsKernelIs(@TempDir Path cache) throws Exception {
        Map<String, String> environment = Map.of("RDMA4J_CACHE", cache.toString());
        assertThat(Backend.automatic(environment)).isEqualTo(Backend.VM);
        Files.createDirectory(cache.resolve(io.github.rdma4j.testbed.image.UmlKernel.entry()));
        assertThat(Backend.automatic(environment)).isEqualTo(Backend.UML);
    }

    @Test
    void whatTheCallerNamesComesFirst() throws Exception {
        for (Backend backend : Backend.values()) {
            assertThat(Backend.resolve(Optional.of(backend))).isEqualTo(backend);
            assertThat(Backend.of(backend.label())).isEqualTo(backend);
        }
    }
}
