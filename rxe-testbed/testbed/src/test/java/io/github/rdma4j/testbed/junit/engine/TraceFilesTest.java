// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFilesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [class:a.ATest]/[method:works()]                                          | a.ATest.works.jfr
            [class:a.ATest]/[nested-class:In]/[method:works()]                        | a.ATest.In.works.jfr
            [class:a.ATest]/[test-template:runs()]/[test-template-invocation:#12]     | a.ATest.runs.12.jfr
            [class:a.ATest]/[method:takes(org.junit.jupiter.api.TestInfo)]            | a.ATest.takes-org.junit.jupiter.api.TestInfo.jfr
            [class:a.ATest]/[method:..%2F..%2Fetc()]                                  | a.ATest...-..-etc.jfr
            """)
    void aFileHasTheNameOfItsTestAndNoOtherPlace(String id, String name) {
        assertThat(TraceFiles.name("[engine:junit-jupiter]/" + id)).isEqualTo(name);
    }
}
