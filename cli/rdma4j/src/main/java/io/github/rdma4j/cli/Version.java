// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, for every command that is asked for it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        try (InputStream file = Objects.requireNonNull(Version.class.getResourceAsStream("version.properties"))) {
            Properties properties = new Properties();
            properties.load(file);
            return new String[] {"rdma4j " + properties.getProperty("version")};
        }
    }
}
