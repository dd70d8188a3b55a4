// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.Map;
import java.util.Properties;

/**
 * What the caller of the tests chose, beside the annotations.
 *
 * @param backend the kind of guest; empty if the annotation decides
 * @param kernel the series for tests that name none; empty for the default of the testbed
 * @param inGuest whether this JVM runs in a guest already
 */
record Settings(String backend, String kernel, boolean inGuest) {
    static final String HOST = "host";

    static Settings ofThisProcess() {
        return of(System.getProperties(), System.getenv());
    }

    static Settings of(Properties properties, Map<String, String> environment) {
        return new Settings(
                properties.getProperty("rdma4j.testbed", environment.getOrDefault("RDMA4J_TESTBED", "")),
                properties.getProperty("rdma4j.testbed.kernel", ""),
                environment.getOrDefault("RDMA4J_GUEST", "").equals("1"));
    }
}
