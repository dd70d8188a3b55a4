// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import java.util.Map;

/**
 * What those need who prepare the files of guests.
 *
 * @param cache the place of the files
 * @param environment the variables that choose archives and programs
 */
public record Workshop(CacheDirectory cache, Map<String, String> environment, Progress progress) {
    public static Workshop ofThisProcess(Progress progress) {
        return new Workshop(CacheDirectory.of(System.getenv()), System.getenv(), progress);
    }
}
