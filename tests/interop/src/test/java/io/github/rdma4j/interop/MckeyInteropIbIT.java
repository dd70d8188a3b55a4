// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;

/** Our mckey and C mckey on InfiniBand, where a subnet manager grants the joins. */
@RequiresIb
class MckeyInteropIbIT extends MckeyInteropScenarios {
    @Override
    String group() {
        return "ff12:4001:ffff:0:0:0:f4d:601 mlid 0xc";
    }
}
