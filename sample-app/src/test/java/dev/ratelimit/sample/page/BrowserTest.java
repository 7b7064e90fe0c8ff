package dev.ratelimit.sample.page;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@link PageTest} that needs {@link Chromium}, and is skipped where there is none.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@PageTest
@ExtendWith(ChromiumCondition.class)
@interface BrowserTest {

}
