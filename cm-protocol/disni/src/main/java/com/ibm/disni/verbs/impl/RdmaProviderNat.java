// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.verbs.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import io.github.rdma4j.disni.ClassPath;
import io.github.rdma4j.disni.CmOverRdma4j;
import io.github.rdma4j.disni.Replacement;
import io.github.rdma4j.disni.VerbsOverRdma4j;
import java.io.IOException;

/**
 * Takes the place of DiSNI's class of this name, the only provider that DiSNI makes. DiSNI then loads no other class of this package,
 * and no native library.
 */
public class RdmaProviderNat extends RdmaProvider implements Replacement {
    /** The version of DiSNI's native interface that DiSNI 2.1 reports. */
    private static final int VERSION = 32;

    private final RdmaCm cm = new CmOverRdma4j();
    private final RdmaVerbs verbs = new VerbsOverRdma4j();

    /**
     * Called by DiSNI, once.
     *
     * @throws IOException when another jar's class stands in front of one that is replaced; the message says which jar to move
     */
    public RdmaProviderNat() throws IOException {
        ClassPath.check();
    }

    @Override
    public RdmaCm openCm() {
        return cm;
    }

    @Override
    public RdmaVerbs openVerbs() {
        return verbs;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }
}
